package io.multimed.sql;

import java.util.HashSet;
import java.util.Set;

/**
 * The key words of PostgreSQL 15 to 18 (src/include/parser/kwlist.h), in PostgreSQL's own four classes. A word whose class differs
 * between versions is listed in the less restricted one.
 */
final class KeyWords {
    /** Words that are never a name without quotes. */
    static final Set<String> RESERVED = words("""
            all analyse analyze and any array as asc asymmetric both case cast check collate column constraint
            create current_catalog current_date current_role current_time current_timestamp current_user default
            deferrable desc distinct do else end except false fetch for foreign from grant group having in
            initially intersect into lateral leading limit localtime localtimestamp not null offset on only or
            order placing primary references returning select session_user some symmetric system_user table then
            to trailing true union unique user using variadic when where window with
            """);

    /** Words that may name columns and tables, but never a function. */
    static final Set<String> COLUMN_NAME = words("""
            between bigint bit boolean char character coalesce dec decimal exists extract float greatest
            grouping inout int integer interval json json_array json_arrayagg json_exists json_object
            json_objectagg json_query json_scalar json_serialize json_table json_value least merge_action
            national nchar none normalize nullif numeric out overlay position precision real row setof smallint
            substring time timestamp treat trim values varchar xmlattributes xmlconcat xmlelement xmlexists
            xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable
            """);

    /** Words that may name functions and types, but never a column. */
    static final Set<String> TYPE_OR_FUNCTION = words("""
            authorization binary collation concurrently cross current_schema freeze full ilike inner is isnull
            join left like natural notnull outer overlaps right similar tablesample verbose
            """);

    /** Words that may name anything. */
    static final Set<String> UNRESERVED = words("""
            abort absent absolute access action add admin after aggregate also alter always asensitive assertion
            assignment at atomic attach attribute backward before begin breadth by cache call called cascade
            cascaded catalog chain characteristics checkpoint class close cluster columns comment comments
            commit committed compression conditional configuration conflict connection constraints content
            continue conversion copy cost csv cube current cursor cycle data database day deallocate declare
            defaults deferred definer delete delimiter delimiters depends depth detach dictionary disable
            discard document domain double drop each empty enable encoding encrypted enforced enum error escape
            event exclude excluding exclusive execute explain expression extension external family filter
            finalize first following force format forward function functions generated global granted groups
            handler header hold hour identity if immediate immutable implicit import include including increment
            indent index indexes inherit inherits inline input insensitive insert instead invoker isolation keep
            key keys label language large last leakproof level listen load local location lock locked logged
            mapping match matched materialized maxvalue merge method minute minvalue mode month move name names
            nested new next nfc nfd nfkc nfkd no normalized nothing notify nowait nulls object objects of off
            oids old omit operator option options ordinality others over overriding owned owner parallel
            parameter parser partial partition passing password path period plan plans policy preceding prepare
            prepared preserve prior privileges procedural procedure procedures program publication quote quotes
            range read reassign recheck recursive ref referencing refresh reindex relative release rename
            repeatable replace replica reset restart restrict return returns revoke role rollback rollup routine
            routines rows rule savepoint scalar schema schemas scroll search second security sequence sequences
            serializable server session set sets share show simple skip snapshot source sql stable standalone
            start statement statistics stdin stdout storage stored strict string strip subscription support
            sysid system tables tablespace target temp template temporary text ties transaction transform
            trigger truncate trusted type types uescape unbounded uncommitted unconditional unencrypted unknown
            unlisten unlogged until update vacuum valid validate validator value varying version view views
            virtual volatile whitespace within without work wrapper write xml year yes zone
            """);

    private static final Set<String> ALL = union(RESERVED, COLUMN_NAME, TYPE_OR_FUNCTION, UNRESERVED);

    /** Words that may open a construct of the language before a parenthesis, although a function may have the same name. */
    private static final Set<String> CONSTRUCTS = union(words("""
            by columns conflict content cube document escape explain filter first insert materialized next operator over
            passing path range repeatable rollup rows second set sets value varying zone
            """), TYPE_OR_FUNCTION);

    /** Special forms that call a function whose name is given elsewhere, or that belong to writing. */
    private static final Set<String> NOT_HARMLESS = Set.of("treat", "merge_action");

    private KeyWords() {}

    static boolean isKeyWord(String word) {
        return ALL.contains(word);
    }

    static boolean isReserved(String word) {
        return RESERVED.contains(word);
    }

    /** Whether the unquoted word before a parenthesis is, or may be, part of the language and not the name of a function. */
    static boolean opensConstruct(String word) {
        return RESERVED.contains(word)
                || (COLUMN_NAME.contains(word) && !NOT_HARMLESS.contains(word))
                || CONSTRUCTS.contains(word);
    }

    /** Returns the words for which {@link #opensConstruct} holds although they can also name a function. */
    static Set<String> constructsThatMayNameFunctions() {
        return CONSTRUCTS;
    }

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    @SafeVarargs
    private static Set<String> union(Set<String>... sets) {
        Set<String> all = new HashSet<>();
        for (Set<String> set : sets) {
            all.addAll(set);
        }
        return Set.copyOf(all);
    }
}
