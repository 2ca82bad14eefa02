package dev.sluice.demultiplexer;

/** How an asynchronous operation ended. */
public enum CompletionStatus {
    /** It did what was asked for. */
    SUCCEEDED,
    /** The system refused; the completion has the error. */
    FAILED,
    /** It was cancelled, or its handle or the proactor was closed. */
    CANCELLED
}
