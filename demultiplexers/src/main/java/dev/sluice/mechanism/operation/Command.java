package dev.sluice.mechanism.operation;

/** Something that a thread wants to be done inside. In one {@link CommandStack} at most, and once at a time. */
abstract class Command {

    /** The command that was pushed before this one; then, while they are performed, the one after. */
    Command next;

    /** Inside. */
    abstract void perform();
}
