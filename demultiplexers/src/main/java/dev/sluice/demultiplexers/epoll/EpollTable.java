package dev.sluice.demultiplexers.epoll;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.EpollEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Leads from the 64 bits that an event carries to its member, in one step: the low half is a slot, the high half the
 * slot's generation. A slot is used again, its generation is not, so an event that was on its way when its member left
 * finds nobody.
 */
final class EpollTable implements AutoCloseable {

    private static final int CHUNK = 1024;
    // Room for either layout, so that every structure is aligned for its 64-bit half.
    private static final int STRIDE = 16;

    private final Memory memory;
    private final List<MemoryBlock> structures = new ArrayList<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private volatile EpollMember[] members = new EpollMember[CHUNK];
    private int[] generations = new int[CHUNK];
    private int used;

    EpollTable(Memory memory) {
        this.memory = memory;
    }

    /** Gives a member its slot, and the {@code epoll_event} that describes it to the kernel. */
    synchronized void add(EpollMember member) {
        Integer reused = free.poll();
        int slot = reused != null ? reused : used++;
        if (slot == members.length) {
            grow();
        }
        if (slot / CHUNK == structures.size()) {
            structures.add(memory.allocate(CHUNK * STRIDE));
        }
        MemoryBlock block = structures.get(slot / CHUNK);
        int at = slot % CHUNK * STRIDE;
        EpollEvent.set(block.buffer(), at, 0, (long) generations[slot] << Integer.SIZE | slot);
        member.placed(slot, generations[slot], block, at);
        EpollMember[] published = members;
        published[slot] = member;
        // Written once more, because a volatile field publishes what was stored into the array before.
        members = published;
    }

    private void grow() {
        int[] moreGenerations = new int[generations.length * 2];
        System.arraycopy(generations, 0, moreGenerations, 0, generations.length);
        generations = moreGenerations;
        EpollMember[] moreMembers = new EpollMember[members.length * 2];
        System.arraycopy(members, 0, moreMembers, 0, members.length);
        members = moreMembers;
    }

    synchronized void remove(EpollMember member) {
        int slot = member.slot();
        members[slot] = null;
        generations[slot]++;
        free.add(slot);
    }

    /** {@return the member that an event is for, or null if it has left} */
    EpollMember find(long data) {
        EpollMember member = members[(int) data];
        return member != null && member.generation() == (int) (data >>> Integer.SIZE) ? member : null;
    }

    @Override
    public synchronized void close() {
        structures.forEach(MemoryBlock::close);
    }
}
