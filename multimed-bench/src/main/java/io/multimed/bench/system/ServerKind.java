package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import java.nio.file.Path;
import java.util.List;

/**
 * A kind of database server: what a series has to know of it to run its systems.
 *
 * @param <B> the engines' programs
 */
public interface ServerKind<B> {
    /** Returns the user that runs engines where the harness is root, if there is such a user. */
    String user();

    /** Returns the main class of the Multimed that runs such engines. */
    String program();

    /** Returns the engines' programs, unpacked by the first call. */
    B programs() throws BenchException, InterruptedException;

    /** Returns the names of its systems. */
    List<String> systems();

    /** Returns one of its systems. */
    SystemUnderTest system(String name, Equipment<B> equipment, Systems.Options options);

    /** Makes the files of a server without any data of a benchmark. */
    Path initialise(Workspace workspace, B programs, String name) throws BenchException, InterruptedException;

    /**
     * Has the database {@link Template#DATABASE} made and filled in such files, whose server has ended in order afterwards.
     *
     * @param isolation default of transactions, as PostgreSQL writes it
     * @return the result of {@code filling}
     */
    <T> T fill(Workspace workspace, B programs, Path data, String isolation, Template.Filling<T> filling)
            throws BenchException, InterruptedException;

    /** Returns the clients' driver, for results. */
    String driver();

    /** Returns what of a system survives a crash, for results. */
    String durability(String system);
}
