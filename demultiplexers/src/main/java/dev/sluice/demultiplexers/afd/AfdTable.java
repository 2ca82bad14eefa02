package dev.sluice.demultiplexers.afd;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Leads from the identifier in a packet to its member, in one step, and holds the memory of the requests. A slot is
 * given away again only when its request has completed, so a packet always finds the member that it is about.
 */
final class AfdTable implements AutoCloseable {

    private static final int CHUNK = 1024;

    private final Memory memory;
    private final List<MemoryBlock> requests = new ArrayList<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private volatile AfdMember[] members = new AfdMember[CHUNK];
    private int used;

    AfdTable(Memory memory) {
        this.memory = memory;
    }

    synchronized void add(AfdMember member) {
        Integer reused = free.poll();
        int slot = reused != null ? reused : used++;
        AfdMember[] published = members;
        if (slot == published.length) {
            published = Arrays.copyOf(published, 2 * slot);
        }
        if (slot / CHUNK == requests.size()) {
            requests.add(memory.allocate(CHUNK * AfdPollInfo.SIZE));
        }
        member.placed(slot, requests.get(slot / CHUNK), slot % CHUNK * AfdPollInfo.SIZE);
        published[slot] = member;
        // Written even if it is the same, because a volatile field publishes what was stored into the array before.
        members = published;
    }

    synchronized void remove(AfdMember member) {
        members[member.slot()] = null;
        free.add(member.slot());
    }

    /** {@return what a request of the member is identified by; never 0, for which no packet would come} */
    static long identifier(AfdMember member) {
        return member.slot() + 1L;
    }

    AfdMember find(long identifier) {
        return members[(int) identifier - 1];
    }

    @Override
    public synchronized void close() {
        requests.forEach(MemoryBlock::close);
    }
}
