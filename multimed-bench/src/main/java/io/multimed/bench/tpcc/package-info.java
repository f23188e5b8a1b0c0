/**
 * TPC-C at database level, without terminals and think time: no result of it is a tpmC. Against PostgreSQL systems, and against
 * engines inside one JVM, which is then a process of its own for each run.
 *
 * <p>In: options. Out: files of results and a table.
 */
@NullMarked
package io.multimed.bench.tpcc;

import org.jspecify.annotations.NullMarked;
