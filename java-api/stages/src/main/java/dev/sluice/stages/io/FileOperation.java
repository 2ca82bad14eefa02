package dev.sluice.stages.io;

/** The kind of a request to a {@link StagedFile}. */
public enum FileOperation {

    /** Opens the file: the first request of each file, which it makes by itself. */
    OPEN,

    /** {@link StagedFile#read}. */
    READ,

    /** {@link StagedFile#write}. */
    WRITE,

    /** {@link StagedFile#seek}. */
    SEEK,

    /** {@link StagedFile#stat}. */
    STAT,

    /** {@link StagedFile#close}. */
    CLOSE
}
