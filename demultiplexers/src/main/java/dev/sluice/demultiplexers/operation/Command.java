package dev.sluice.demultiplexers.operation;

/** Something that another thread wants the loop thread to do. In one {@link CommandStack} at most, and once at a time. */
abstract class Command {

    /** The command that was pushed before this one; then, while they are performed, the one after. */
    Command next;

    /** By the loop thread. */
    abstract void perform();
}
