package dev.sluice.demultiplexer.handleset;

import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import java.util.ArrayDeque;

/**
 * The members that are always ready: regular files, where the kernel refuses them for this reason, or does not report
 * them as ready. Each wait reports them after those that the kernel has found. Any thread may use it.
 */
final class AlwaysReadyMembers {

    private static final int READY = EventType.READ | EventType.WRITE;

    private final KernelSetDemultiplexer demultiplexer;
    /** Those to report, the one that has waited longest first. */
    private final ArrayDeque<KernelMember> members = new ArrayDeque<>();

    AlwaysReadyMembers(KernelSetDemultiplexer demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    /**
     * Brings the list up to date with what is wanted of a member.
     *
     * @param events that it waits for now
     * @return whether it is to be reported now, and was not before
     */
    synchronized boolean follow(KernelMember member, int events) {
        boolean listed = members.contains(member);
        boolean wanted = (events & READY) != 0;
        if (wanted && !listed) {
            members.addLast(member);
        } else if (!wanted && listed) {
            members.remove(member);
        }
        demultiplexer.hasAlwaysReady = !members.isEmpty();
        return wanted && !listed;
    }

    /** Fills up a batch. In a set that is not level-triggered, those reported are no longer ready until rearmed. */
    synchronized void report(ReadyBatch batch) {
        for (int left = members.size(); left > 0 && !batch.isFull(); left--) {
            KernelMember member = members.removeFirst();
            if (demultiplexer.trigger() == Trigger.LEVEL) {
                members.addLast(member);
            }
            if (demultiplexer.mayReport(member, READY)) {
                batch.add(member, READY);
            }
        }
        demultiplexer.hasAlwaysReady = !members.isEmpty();
    }
}
