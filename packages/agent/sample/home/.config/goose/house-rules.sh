# Goose, SessionStart: what every session should know.
echo '{ "additionalContext": "House rule: a greeting is kind." }'
