package io.multimed.endpoint.pg.session.loop;

import java.util.Arrays;

/**
 * The parameters and the result of a prepared statement, as an engine has described them.
 *
 * @param parameterTypes their count and type OIDs, as a Parse message has them
 * @param result a digest of the names and types of its columns
 */
public record Analysis(byte[] parameterTypes, byte[] result) {
    /** Whether the result has the same columns: PostgreSQL lets no statement that it keeps change them. */
    public boolean returnsAs(Analysis other) {
        return Arrays.equals(result, other.result);
    }

    /** Whether the parameters have these types. */
    public boolean takes(byte[] types) {
        return Arrays.equals(parameterTypes, types);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Analysis(var types, var columns)
                && Arrays.equals(parameterTypes, types)
                && Arrays.equals(result, columns);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(parameterTypes) * 31 + Arrays.hashCode(result);
    }
}
