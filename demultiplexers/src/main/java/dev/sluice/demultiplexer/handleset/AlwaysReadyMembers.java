package dev.sluice.demultiplexer.handleset;

import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import java.util.ArrayDeque;

/**
 * The members that are always ready: regular files, if the kernel refuses them or does not report them as ready. Each
 * wait reports them after the members that the kernel has found ready. May be used by any thread.
 */
final class AlwaysReadyMembers {

    private static final int READY = EventType.READ | EventType.WRITE;

    private final KernelSetDemultiplexer demultiplexer;
    /** The members to report; the one that was reported least recently comes first. */
    private final ArrayDeque<KernelMember> members = new ArrayDeque<>();

    AlwaysReadyMembers(KernelSetDemultiplexer demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    /**
     * Adds a member to the list or removes it, depending on the events that it waits for.
     *
     * @param events the events that the member waits for now
     * @return whether the member has been added
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

    /**
     * Adds members to a batch until it is full. In a set that is not level-triggered, a member that has been reported
     * is not reported again until it is rearmed.
     */
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
