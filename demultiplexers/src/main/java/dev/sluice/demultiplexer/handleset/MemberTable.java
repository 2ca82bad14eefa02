package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Maps the 64 bits that an event carries to its member, in one step: the low half is a slot, the high half the slot's
 * generation. A slot is reused, but never with the same generation, so an event that was in flight when its member left
 * finds none. Any thread may use it.
 */
public final class MemberTable implements AutoCloseable {

    private static final int CHUNK = 1024;
    /** Not 0: on Windows no packet can be posted for data that are 0. */
    private static final int FIRST_GENERATION = 1;

    private final Memory memory;
    private final int structureSize;
    /**
     * Memory by slot, one block for each {@value #CHUNK} slots; null for slots that have not been used. An array that
     * grows with the slots, because a list might fail to grow after the memory has been allocated.
     */
    private MemoryBlock[] structures = new MemoryBlock[1];
    /** Members by slot; null where a slot is free. A wait reads the field after the system has found the events. */
    public volatile KernelMember[] members = new KernelMember[CHUNK];
    private int[] generations = new int[CHUNK];
    private int used;
    /**
     * Slots that have been used and are free. Has capacity for all slots, so that removing a member needs no memory.
     */
    private int[] free = new int[CHUNK];
    private int freeCount;

    /**
     * Creates an empty table.
     *
     * @param memory the memory for the structures of members
     * @param structureSize the size of the structure of a member in bytes
     */
    public MemberTable(Memory memory, int structureSize) {
        this.memory = memory;
        this.structureSize = structureSize;
    }

    /**
     * Gives a member its slot and its structure. If there is no slot or no memory, the member releases its handle,
     * since it cannot enter the set.
     *
     * @param member a member that is in no table
     * @param maxMembers the maximum number of members, the same in each call
     * @return whether the member was added; false if the table has the maximum number of members
     */
    public synchronized boolean add(KernelMember member, int maxMembers) {
        boolean hasSlot = freeCount > 0;
        try {
            if (!hasSlot && used < maxMembers) {
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
        member.assignSlot(slot, generations[slot], structures[slot / CHUNK], slot % CHUNK * structureSize);
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
     * Removes a member, and makes its slot available to others.
     *
     * @param member a member in the table
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
     * @param data the data of the event, see {@link Member#eventData()}
     * @return the member, or null if it has left
     */
    public @Nullable KernelMember find(long data) {
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
