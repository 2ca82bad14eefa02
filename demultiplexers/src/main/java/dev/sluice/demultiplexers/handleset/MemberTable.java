package dev.sluice.demultiplexers.handleset;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Leads from the 64 bits that an event carries to its member, in one step: the low half is a slot, the high half the
 * slot's generation. A slot is used again, its generation is not, so an event that was on its way when its member left
 * finds nobody.
 */
final class MemberTable implements AutoCloseable {

    private static final int CHUNK = 1024;

    private final Memory memory;
    private final int structureSize;
    private final List<MemoryBlock> structures = new ArrayList<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private volatile KernelMember[] members = new KernelMember[CHUNK];
    private int[] generations = new int[CHUNK];
    private int used;

    MemberTable(Memory memory, int structureSize) {
        this.memory = memory;
        this.structureSize = structureSize;
    }

    /** Gives a member its slot, and memory to describe it to the kernel. */
    synchronized void add(KernelMember member) {
        if (free.isEmpty()) {
            if (used == members.length) {
                grow();
            }
            if (used / CHUNK == structures.size()) {
                structures.add(memory.allocate(CHUNK * structureSize));
            }
            free.add(used++);
        }
        int slot = free.poll();
        member.placed(slot, generations[slot], structures.get(slot / CHUNK), slot % CHUNK * structureSize);
        KernelMember[] published = members;
        published[slot] = member;
        // Written once more, because a volatile field publishes what was stored into the array before.
        members = published;
    }

    private void grow() {
        int[] moreGenerations = new int[generations.length * 2];
        System.arraycopy(generations, 0, moreGenerations, 0, generations.length);
        generations = moreGenerations;
        KernelMember[] moreMembers = new KernelMember[members.length * 2];
        System.arraycopy(members, 0, moreMembers, 0, members.length);
        members = moreMembers;
    }

    synchronized void remove(KernelMember member) {
        int slot = member.slot();
        members[slot] = null;
        generations[slot]++;
        free.add(slot);
    }

    /** {@return the member that an event is for, or null if it has left} */
    KernelMember find(long data) {
        KernelMember member = members[(int) data];
        return member != null && member.eventData() == data ? member : null;
    }

    @Override
    public synchronized void close() {
        structures.forEach(MemoryBlock::close);
    }
}
