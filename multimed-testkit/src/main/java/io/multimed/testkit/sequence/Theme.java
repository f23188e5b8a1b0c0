package io.multimed.testkit.sequence;

import java.util.List;

/** Groups of related statements; a sequence takes some of a few themes, so that they interact. */
enum Theme {
    READS(
            "select 1",
            "select v from t where id = $1",
            "select v from t where id = 1",
            "select id, v from t order by id",
            "select count(*) from t",
            "select * from big",
            "select $1::int + 1",
            "values (1), (2), (3)",
            "select notes(7)"),
    ERRORS(
            "selec 1",
            "select 1/0",
            "select missing from t",
            "select * from missing",
            "select v::int from (values ('10'), ('twenty')) as given (v)",
            "insert into t values (1, 'again')",
            "select $1::int / 0",
            "",
            "select '\\",
            "select 1; select 2",
            "prepare s1 as selec",
            "set no_such_parameter = 1",
            "begin isolation level nonsense"),
    WRITES(
            "insert into t values ($1, 'new')",
            "insert into t values (77, 'seventy-seven')",
            "update t set v = v || '!' where id = 2",
            "delete from t where id = 3 returning v",
            "select v from t where id = 1 for update",
            "drop table if exists nothing_here",
            "do $$ begin raise notice 'done'; end $$"),
    BLOCKS(
            "begin",
            "begin",
            "commit",
            "commit",
            "rollback",
            "end",
            "start transaction read only",
            "begin read only",
            "begin isolation level repeatable read read only",
            "begin isolation level repeatable read",
            "begin isolation level serializable",
            "commit and chain",
            "rollback and chain",
            "set transaction read only",
            "set transaction read write"),
    SAVEPOINTS(
            "begin",
            "begin read only",
            "savepoint a",
            "rollback to a",
            "release a",
            "savepoint b",
            "rollback to b",
            "commit",
            "rollback"),
    TWO_PHASES(
            "begin",
            "begin isolation level repeatable read read only",
            "prepare transaction 'g1'",
            "commit prepared 'g1'",
            "rollback prepared 'g1'",
            "commit",
            "prepare transaction 'g2'"),
    SQL_NAMES(
            "prepare s1 as select 1",
            "prepare s1(int) as select v from t where id = $1",
            "prepare s2 as insert into t values (55, 'by name')",
            "prepare s2 as selec",
            "execute s1",
            "execute s1(2)",
            "execute s2",
            "deallocate s1",
            "deallocate s2",
            "deallocate all",
            "discard all",
            "begin",
            "rollback",
            "commit"),
    CURSORS(
            "begin",
            "begin read only",
            "declare c1 cursor for select id, v from t order by id",
            "declare c2 cursor for select * from big",
            "declare c1 cursor with hold for select id from t order by id",
            "fetch 2 from c1",
            "fetch all from c1",
            "fetch 1 from c2",
            "move 1 in c1",
            "close c1",
            "close all",
            "commit",
            "rollback"),
    NOTIFICATIONS(
            "listen news",
            "listen other",
            "notify news, 'a'",
            "notify other",
            "select pg_notify('news', 'b')",
            "unlisten news",
            "unlisten *",
            "begin",
            "commit",
            "rollback"),
    COPIES(
            "copy t from stdin",
            "copy t (id, v) from stdin",
            "copy (select id, v from t order by id) to stdout",
            "copy (select 1) to stdout",
            "copy missing from stdin",
            "begin",
            "commit"),
    SETTINGS(
            "set search_path = pg_catalog, public",
            "set local search_path = public",
            "show search_path",
            "reset search_path",
            "set application_name = 'fuzz'",
            "set datestyle = 'German'",
            "select date '2026-01-31'",
            "set default_transaction_read_only = on",
            "reset all",
            "begin",
            "begin read only",
            "commit",
            "rollback");

    private final List<String> statements;

    Theme(String... statements) {
        this.statements = List.of(statements);
    }

    List<String> statements() {
        return statements;
    }
}
