import type { Danger } from './rule.ts';

const GONE = 'it deletes what no copy is kept of';
/** SQL that deletes whole tables, or every row of a table. */
const SQL =
  /\b(?:drop\s+(?:database|schema|table|view|materialized\s+view|index|keyspace|collection|user|role|owned|tablespace|extension|type|function|procedure|sequence|trigger|graph|constraint|bucket|measurement|stream|column\s+family)|truncate\s+(?:table\s+)?\W*\w|delete\s+from\s+[\w."`[\]]+\s*(?:;|$|returning\b|where\s+(?:1\s*=\s*1|true|1)\b)|delete\s+from\s+[\w."`[\]]+\s+(?:as\s+)?\w+\s*(?:;|$)|alter\s+table\s+\S+\s+drop\b|update\s+[\w."`[\]]+\s+set\s+(?:(?!\bwhere\b)[^;])+(?:;|$)|\bdetach\s+delete\b|vacuum\s+into)/i;
const CLIENTS =
  'psql|mysql|mariadb|sqlite3|sqlite|litecli|pgcli|mycli|usql|clickhouse-client|clickhouse|clickhouse-local|cockroach|sqlcmd|tsql|sqlplus|sql|duckdb|cqlsh|isql|fbsql|db2|bteq|snowsql|snow|bq|trino|presto|hive|beeline|impala-shell|spark-sql|cypher-shell|influx|questdb|libsql|turso|d1|wrangler|supabase|dolt|mssql-cli|osql|monetdb|vsql|crate|crash|tidb|ysqlsh|dbt|steampipe|harlequin|dbmate|edgedb|gel|surreal|fauna|arangosh|tarantool|couchbase-cli|cbq';

export const DATABASE: Danger = {
  instead:
    'Run it in a transaction that is rolled back, count the rows first (`select count(*)`), make a dump, or let the person do it.',
  rules: [
    {
      command: 'dropdb|dropuser|droplang|mysqladmin drop|pg_dropcluster|pg_resetwal|rs.dropDatabase',
      noWord: /^--help$/,
      why: GONE,
    },
    { command: 'mysqladmin|mariadb-admin', word: /^(?:drop|flush-\w+|shutdown)$/, why: GONE },
    { command: CLIENTS, word: SQL, readsInput: true, why: GONE },
    { command: 'pg_restore', with: ['c|clean'], why: GONE },
    {
      command: 'mongosh|mongo',
      word: /\bdropDatabase\b|\.(?:drop|dropIndexes|dropCollection|remove|deleteMany)\(\s*(?:\{\s*\})?\s*\)|\.(?:drop|dropCollection)\(/,
      why: GONE,
    },
    { command: 'mongorestore|mongoimport', word: /^--drop$/, why: GONE },
    {
      command: 'redis-cli|valkey-cli|keydb-cli|dragonfly|iredis',
      word: /^(?:flush(?:all|db)|shutdown|script)$/i,
      noWord: /^(?:exists|load)$/i,
      why: GONE,
    },
    {
      command: 'redis-cli|valkey-cli|keydb-cli',
      word: /^cluster$/i,
      operand: /^(?:reset|flushslots)$/i,
      why: GONE,
    },
    { command: 'memcached-tool', word: /^flush_all$/, why: GONE },
    { command: 'etcdctl', first: /^del$/, word: /^--prefix$|^--from-key$|^$/, why: GONE },
    { command: 'influx|influxd', word: /^delete$/, why: GONE },
    {
      command: 'kafka-topics|kafka-topics.sh|kafka-consumer-groups|kafka-consumer-groups.sh|rpk|kcat',
      word: /^(?:--delete|delete|--reset-offsets)$/,
      noWord: /^--dry-run$/,
      why: GONE,
    },
    { command: 'kafka-delete-records|kafka-delete-records.sh|kafka-storage|rabbitmqctl reset', why: GONE },
    {
      command: 'rabbitmqctl|rabbitmqadmin',
      word: /^(?:reset|force_reset|delete_\w+|purge_queue|purge|delete)$/,
      why: GONE,
    },
    {
      command: 'nats',
      word: /^(?:purge|rm|del|delete)$/,
      operand: /^(?:stream|kv|consumer|object|obj|str|con)$/,
      why: GONE,
    },
    // Frameworks that empty the configured database.
    {
      command: 'rails|rake|bin/rails|bin/rake',
      word: /^db:(?:drop|reset|purge|truncate_all|schema:load|setup|migrate:reset|seed:replant|structure:load|test:purge|rollback:all)(?::|$)/,
      why: GONE,
    },
    {
      command: 'prisma|prisma migrate|prisma db',
      word: /^(?:reset|--force-reset|--accept-data-loss)$/,
      why: GONE,
    },
    {
      command: 'pnpm prisma|yarn prisma|bun prisma',
      word: /^(?:reset|--force-reset|--accept-data-loss)$/,
      why: GONE,
    },
    { command: 'drizzle-kit', first: /^(?:drop|push)$/, word: /^(?:drop|--force)$/, why: GONE },
    { command: 'sequelize|sequelize-cli', word: /^db:(?:drop|migrate:undo:all|seed:undo:all)$/, why: GONE },
    { command: 'typeorm|typeorm-ts-node-commonjs|typeorm-ts-node-esm', word: /^schema:drop$/, why: GONE },
    {
      command: 'knex',
      word: /^migrate:rollback$/,
      operand: /^--all$|./,
      noWord: /^migrate:(?:latest|list|up|make)$/,
      why: GONE,
    },
    { command: 'mikro-orm', word: /^(?:schema:(?:drop|fresh)|migration:fresh|database:drop)$/, why: GONE },
    {
      command: 'php|artisan|sail',
      word: /^(?:migrate:(?:fresh|reset|refresh)|db:wipe|doctrine:(?:database|schema):drop|queue:(?:flush|clear))$/,
      why: GONE,
    },
    {
      command: 'bin/console|symfony|console',
      word: /^(?:doctrine|d):(?:database|schema|d|s):(?:drop)$/,
      why: GONE,
    },
    {
      command: 'python|python3|django-admin|manage.py|./manage.py',
      word: /^(?:flush|reset_db|sqlflush|clean_pyc|delete_squashed_migrations|reset_schema)$/,
      noWord: /^sqlflush$/,
      why: GONE,
    },
    {
      command: 'flask',
      word: /^(?:drop|drop-all|drop_db|downgrade)$/,
      operand: /^(?:db|database|drop\S*)$/,
      noWord: /^-1$/,
      why: GONE,
    },
    { command: 'alembic', first: /^downgrade$/, operand: /^base$/, why: GONE },
    { command: 'flyway', word: /^clean$/, why: GONE },
    {
      command: 'liquibase',
      word: /^(?:drop-?all|dropAll|rollback\S*)$/,
      noWord: /^rollback-?sql$/i,
      why: GONE,
    },
    { command: 'mix', word: /^ecto\.(?:drop|reset)$/, why: GONE },
    { command: 'diesel', first: /^database$/, operand: /^(?:reset|drop)$/, why: GONE },
    {
      command: 'sqlx|sea-orm-cli|dbmate|goose|atlas|geni|refinery|migrate|sqitch',
      word: /^(?:drop|reset|fresh|clean|revert|down-to)$/,
      noWord: /^(?:--dry-run|status)$/,
      why: GONE,
    },
    { command: 'dotnet', word: /^drop$/, operand: /^ef$/, noWord: /^--dry-run$/, why: GONE },
    // Without an address it is the local database, which its migrations create again.
    { command: 'supabase db|supabase', word: /^reset$/, operand: /^(?:reset|db)$/, isBroad: true, why: GONE },
    { command: 'supabase db|supabase', word: /^--(?:linked|db-url)/, operand: /^reset$/, why: GONE },
    {
      command: 'hasura|directus|strapi|payload|medusa|keystone',
      word: /^(?:migrate:fresh|migrate:reset|clear|delete|--drop)$/,
      why: GONE,
    },
    { command: 'wp', word: /^(?:reset|clean|drop|empty)$/, operand: /^(?:db|site)$/, why: GONE },
    { command: 'drush', word: /^(?:sql-drop|sql:drop|site:install|si)$/, why: GONE },
    {
      command: 'meilisearch|typesense|elasticdump|curator',
      word: /^(?:delete|delete_indices|--delete)$/,
      why: GONE,
    },
  ],
};
