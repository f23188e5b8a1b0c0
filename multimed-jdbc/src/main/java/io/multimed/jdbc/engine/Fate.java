package io.multimed.jdbc.engine;

/** The state of a transaction after one of its statements failed. */
public enum Fate {
    /** The statement left no trace, and the transaction goes on. */
    GOES_ON,
    /** The engine has rolled the transaction back, and the error tells the application so. */
    ROLLED_BACK,
    /**
     * The state depends on details or is unknown. Multimed rolls the transaction back, and reports that at its next change or its
     * commit.
     */
    UNKNOWN
}
