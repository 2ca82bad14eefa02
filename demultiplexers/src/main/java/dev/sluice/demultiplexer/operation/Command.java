package dev.sluice.demultiplexer.operation;

/**
 * Something that a thread wants to have done inside. It is in at most one {@link CommandStack} at a time, and only
 * once.
 */
abstract class Command {

    /** The command that was pushed before this one; while commands are being performed, the one pushed after it. */
    Command next;

    /** Inside. */
    abstract void perform();

    /**
     * {@return whether a command for which there was no memory is to be performed again; false if it has been left
     * again in the meantime} Inside.
     */
    boolean repeats() {
        return true;
    }
}
