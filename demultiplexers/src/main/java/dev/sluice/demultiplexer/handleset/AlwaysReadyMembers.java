package dev.sluice.demultiplexer.handleset;

import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * The members that are always ready: regular files, if the kernel refuses them or does not report them as ready. Each
 * wait reports them after the members that the kernel has found ready. The list is linked through the members, so that
 * adding one needs no memory. May be used by any thread.
 */
final class AlwaysReadyMembers {

    private static final int READY = EventType.READ | EventType.WRITE;

    private final KernelSetDemultiplexer demultiplexer;
    /** The member that was reported least recently; null if there are none. */
    private @Nullable KernelMember first;
    private @Nullable KernelMember last;
    private int size;

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
        boolean listed = member.nextAlwaysReady != null;
        boolean wanted = (events & READY) != 0;
        if (wanted && !listed) {
            append(member);
        } else if (!wanted && listed) {
            remove(member);
        }
        demultiplexer.hasAlwaysReady = first != null;
        return wanted && !listed;
    }

    /**
     * Adds members to a batch until it is full. In a set that is not level-triggered, a member that has been reported
     * is not reported again until it is rearmed.
     */
    synchronized void report(ReadyBatch batch) {
        for (int left = size; left > 0 && !batch.isFull(); left--) {
            KernelMember member = first;
            assert member != null;
            remove(member);
            if (demultiplexer.trigger() == Trigger.LEVEL) {
                append(member);
            }
            if (demultiplexer.mayReport(member, READY)) {
                batch.add(member, READY);
            }
        }
        demultiplexer.hasAlwaysReady = first != null;
    }

    private void append(KernelMember member) {
        member.nextAlwaysReady = member;
        if (last == null) {
            first = member;
        } else {
            last.nextAlwaysReady = member;
        }
        last = member;
        size++;
    }

    private void remove(KernelMember member) {
        KernelMember before = null;
        KernelMember each = first;
        while (each != member) {
            assert each != null;
            before = each;
            each = each.nextAlwaysReady;
        }
        KernelMember next = member == last ? null : member.nextAlwaysReady;
        if (before == null) {
            first = next;
        } else {
            before.nextAlwaysReady = next == null ? before : next;
        }
        if (next == null) {
            last = before;
        }
        member.nextAlwaysReady = null;
        size--;
    }
}
