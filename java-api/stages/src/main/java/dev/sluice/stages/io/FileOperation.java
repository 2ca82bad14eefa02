package dev.sluice.stages.io;

/** What a {@link StagedFile} was asked for. */
public enum FileOperation {

    /** Opening it, which happens by itself, first. */
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
