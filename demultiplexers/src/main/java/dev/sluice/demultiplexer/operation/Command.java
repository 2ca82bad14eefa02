package dev.sluice.demultiplexer.operation;

import org.jspecify.annotations.Nullable;

/**
 * An action that a thread has performed inside. A command is in at most one {@link CommandStack} at a time, and only
 * once.
 */
abstract class Command {

    /** The command that was pushed before this one; while commands are being performed, the one pushed after it. */
    @Nullable Command next;

    /** Performs the command. Called inside. */
    abstract void perform();

    /**
     * {@return whether to perform the command again, after there was no memory for it; false if it has been queued
     * again in the meantime} Called inside.
     */
    boolean repeats() {
        return true;
    }
}
