import os, shutil, subprocess, sys, tempfile

work = tempfile.mkdtemp()
try:
    for root, _, names in os.walk(sys.argv[1]):
        for name in names:
            subprocess.run(["cppcheck", os.path.join(root, name)], check=True)
finally:
    shutil.rmtree(work)
