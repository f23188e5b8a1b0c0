package io.multimed.jdbc.engine;

/** What has become of a transaction in which a statement failed. */
public enum Fate {
    /** The statement left no trace, the transaction goes on. */
    GOES_ON,
    /** The engine has rolled the transaction back, and the application knows by the error. */
    ROLLED_BACK,
    /** It depends, or nobody knows: Multimed rolls the transaction back, and says so with its next change or its commit. */
    UNKNOWN
}
