package io.multimed.engine.postgresql.partial;

/** The Master's catalogs are not those of a partial Satellite any more: it must be copied anew. */
public final class CatalogsDifferException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CatalogsDifferException(String reason) {
        super(reason);
    }
}
