package dev.sluice.campaign.power;

import java.util.Random;

/** A change of the content of a file, or of the names in a directory, which the program has asked for. */
abstract class Change {

    private static final int NEVER = Integer.MAX_VALUE;

    private final Inode inode;
    private int completed = NEVER;
    private int durable = NEVER;
    private boolean failed;

    /**
     * Creates a change.
     *
     * @param inode what a force has to be of that covers the change
     */
    Change(Inode inode) {
        this.inode = inode;
    }

    final Inode inode() {
        return inode;
    }

    /** {@return whether it changes names} */
    boolean isOfNames() {
        return false;
    }

    /** Makes the change. */
    abstract void apply(FailedDisk disk);

    /** Makes a part of the change, or nothing. */
    void tear(FailedDisk disk, Tearing tearing, Random random) {
        // It is made as a whole, if at all.
    }

    /** Notes the result of the call. */
    void completed(int time, long result) {
        completed = time;
        failed = result < 0;
    }

    /** {@return whether the call had returned before a time} */
    final boolean isCompletedBefore(int time) {
        return completed < time;
    }

    final boolean hasFailed() {
        return failed;
    }

    /** Notes that a force covers the change from an event on. */
    final void madeDurable(int event) {
        durable = Math.min(durable, event);
    }

    /** {@return whether a force covers the change that completed before an event} */
    final boolean isDurableBefore(int event) {
        return durable < event;
    }
}
