package io.multimed.sql.mysql;

import java.util.Set;

/**
 * The properties of the statements in one text.
 *
 * @param isRead whether a Satellite may execute it, if all {@code tables} are base tables
 * @param shape the text without literals, by which the second opinion is asked; empty unless it is a read
 * @param tables the names that it reads, as they are written, with or without the name of a database
 * @param isExplained whether it changes nothing of the session but variables and the database, which the server tells, and the last
 *     values of sequences
 * @param pins whether it may leave locks or the like in the session
 * @param kills whether it may end other sessions or their statements
 * @param concernsLastStatement whether it asks for what the statement before has left, such as warnings
 * @param setsNextTransaction whether it may set what applies to the next transaction alone
 * @param choosesTracking whether it may choose which changes of the session's state the server tells
 * @param boundary of a transaction, if the text is one statement that is nothing else
 * @param leavesNothing whether it leaves nothing in the session but what the server tells, the number of its rows, and the last inserted ID
 * @param readsNoRows whether it shows by itself that it reads no rows of tables, at least not in a transaction that is READ ONLY
 */
public record MysqlStatement(
        boolean isRead,
        String shape,
        Set<String> tables,
        boolean isExplained,
        boolean pins,
        boolean kills,
        boolean concernsLastStatement,
        boolean setsNextTransaction,
        boolean choosesTracking,
        Boundary boundary,
        boolean leavesNothing,
        boolean readsNoRows) {
    /** The part that a statement has in the course of transactions. */
    public enum Boundary {
        /** It is within a transaction, or one of its own. */
        NONE,
        STARTS,
        /** It starts a transaction and fixes its snapshot, under REPEATABLE READ. */
        STARTS_WITH_SNAPSHOT,
        ENDS
    }

    /** A command without text. */
    public static final MysqlStatement UNKNOWN = new MysqlStatement(
            false, "", Set.of(), false, false, false, false, false, false, Boundary.NONE, false, true);

    /** Separates the name of a database from that of a table in {@link #tables}. */
    public static final char SEPARATOR = '\0';
}
