package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.session.loop.Analysis;
import io.multimed.endpoint.pg.session.loop.LiteralSettings;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.loop.StatementRegistry;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.ExtendedMessage;
import org.jspecify.annotations.Nullable;

/**
 * The analysis of prepared statements under a session's present settings and the present schema. A statement is shared with all clients
 * for which an engine's analysis gives the same result.
 */
public final class CurrentAnalysis {
    private final StatementRegistry registry;
    private final EndpointServices.Schemas schemas;
    private final SessionVariables variables;
    private final PoolKey kind;

    public CurrentAnalysis(
            StatementRegistry registry, EndpointServices.Schemas schemas, SessionVariables variables, PoolKey kind) {
        this.registry = registry;
        this.schemas = schemas;
        this.variables = variables;
        this.kind = kind;
    }

    /**
     * Returns the shared statement that an engine without this statement has to prepare in its place now. It has the same text and
     * parameter types, and is analysed under this session's present settings. An unnamed statement stands for itself.
     */
    PreparedStatement asPreparedNow(PreparedStatement statement) {
        LiteralSettings literals = statement.literals();
        Object names = statement.names();
        if (literals == null || names == null || (names.equals(names()) && variables.areLiterals(literals))) {
            return statement;
        }
        byte[] types = statement.engineTypes();
        PreparedStatement alike = shared(statement.sql(), statement.parameterTypes(), null);
        Analysis found = alike.analysis();
        return found != null && found.takes(types) ? alike : shared(statement.sql(), statement.parameterTypes(), types);
    }

    /** Returns the statement for a Parse. It is shared with all clients for which an engine's analysis gives the same result. */
    PreparedStatement shared(ExtendedMessage.Parse parse) {
        return shared(parse.sql(), parse.parameterTypes(), null);
    }

    private PreparedStatement shared(byte[] sql, byte[] types, byte @Nullable [] fixedTypes) {
        return registry.intern(kind, sql, types, fixedTypes, names(), variables.literals(), schemaVersion());
    }

    /** Returns an unnamed statement for a Parse. */
    PreparedStatement newUnnamed(ExtendedMessage.Parse parse) {
        return new PreparedStatement(
                parse.sql(), parse.parameterTypes(), variables.names().now(), schemaVersion());
    }

    /** The present version of the database's schema. */
    long schemaVersion() {
        return schemas.version(kind.database());
    }

    /**
     * Key of the present name resolution. It equals no other key while the Master may or may not show the latest change of the
     * schema.
     */
    private Object names() {
        return schemas.isVersionVisible(kind.database()) ? variables.names().now() : new Object();
    }

    /** Whether an engine would resolve names now as it did when the statement was prepared. */
    boolean resolvesAsNow(PreparedStatement statement) {
        Object names = statement.names();
        return names == null || names.equals(variables.names().now());
    }
}
