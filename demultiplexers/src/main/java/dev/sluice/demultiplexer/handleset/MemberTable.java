package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.util.Arrays;

/**
 * Maps the 64 bits that an event carries to its member, in one step: the low half is a slot, the high half the slot's
 * generation. A slot is reused, but never with the same generation, so an event that was in flight when its member left
 * finds none. Any thread may use it.
 */
public final class MemberTable implements AutoCloseable {

    private static final int CHUNK = 1024;
    /** Not 0: on Windows there is no packet for an event whose data are 0. */
    private static final int FIRST_GENERATION = 1;

    private final Memory memory;
    private final int structureSize;
    /**
     * By slot, a block for each {@value #CHUNK} of them; null for those not used yet. Grows with the slots: nothing
     * would free memory for which a list has no heap.
     */
    private MemoryBlock[] structures = new MemoryBlock[1];
    /** By slot; null where a slot is free. A wait reads it after the system has found the events. */
    public volatile KernelMember[] members = new KernelMember[CHUNK];
    private int[] generations = new int[CHUNK];
    private int used;
    /**
     * Slots that have been used and are free; has capacity for all slots, so that removing a member needs no memory.
     */
    private int[] free = new int[CHUNK];
    private int freeCount;

    /**
     * Creates an empty table.
     *
     * @param memory        where the members are described
     * @param structureSize the number of bytes that each of them needs for that
     */
    public MemberTable(Memory memory, int structureSize) {
        this.memory = memory;
        this.structureSize = structureSize;
    }

    /**
     * Gives a member its slot, and memory to describe it to the system. If there is none, the member releases its
     * handle, since it can enter no set.
     *
     * @param member in no table yet
     * @param most   the maximum number of members, the same each time
     * @return false if there are as many already
     */
    public synchronized boolean add(KernelMember member, int most) {
        boolean hasSlot = freeCount > 0;
        try {
            if (!hasSlot && used < most) {
                addSlot();
                hasSlot = true;
            }
        } finally {
            if (!hasSlot) {
                member.releaseHandle();
            }
        }
        if (!hasSlot) {
            return false;
        }
        int slot = free[--freeCount];
        member.placed(slot, generations[slot], structures[slot / CHUNK], slot % CHUNK * structureSize);
        KernelMember[] published = members;
        published[slot] = member;
        // Written again, because the write to the volatile field publishes what was stored into the array before.
        members = published;
        return true;
    }

    private void addSlot() {
        if (used == generations.length) {
            int[] moreFree = Arrays.copyOf(free, used * 2);
            KernelMember[] moreMembers = Arrays.copyOf(members, used * 2);
            MemoryBlock[] moreStructures = Arrays.copyOf(structures, structures.length * 2);
            generations = Arrays.copyOf(generations, used * 2);
            free = moreFree;
            members = moreMembers;
            structures = moreStructures;
        }
        if (structures[used / CHUNK] == null) {
            structures[used / CHUNK] = memory.allocate(CHUNK * structureSize);
        }
        generations[used] = FIRST_GENERATION;
        free[freeCount++] = used++;
    }

    /**
     * Removes a member, whose slot is then free for others.
     *
     * @param member in the table
     */
    public synchronized void remove(KernelMember member) {
        int slot = member.slot();
        members[slot] = null;
        generations[slot] = Math.max(FIRST_GENERATION, generations[slot] + 1);
        free[freeCount++] = slot;
    }

    /**
     * Finds the member that an event is for.
     *
     * @param data what the event of some member carries, see {@link Member#eventData()}
     * @return the member, or null if it has left
     */
    public KernelMember find(long data) {
        KernelMember member = members[(int) data];
        return member != null && member.eventData() == data ? member : null;
    }

    /** Frees the memory. */
    @Override
    public synchronized void close() {
        for (MemoryBlock each : structures) {
            if (each != null) {
                each.close();
            }
        }
    }
}
