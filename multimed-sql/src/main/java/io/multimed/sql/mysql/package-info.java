/**
 * Statements of MySQL and MariaDB: text in, a {@link io.multimed.sql.mysql.MysqlStatement} out.
 *
 * <p>A statement is taken for a read only if the lexer finds nothing in it but known words, functions of a reviewed list and names of
 * tables, and JSqlParser finds it to be a query too. Pure; any thread. The parser has a thread of its own.
 */
@NullMarked
package io.multimed.sql.mysql;

import org.jspecify.annotations.NullMarked;
