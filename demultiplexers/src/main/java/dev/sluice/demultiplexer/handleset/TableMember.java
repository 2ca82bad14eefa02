package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.nio.ByteBuffer;

/**
 * A member that the system's events find through a {@link MemberTable}, which also has the memory to describe it in.
 */
public abstract class TableMember extends Member {

    private int slot;
    private ByteBuffer structure;
    private int at;
    private long address;

    /**
     * Holds the handle open from now on.
     *
     * @param set        the set
     * @param handle     the handle
     * @param events     to wait for
     * @param attachment the attachment of the membership
     */
    protected TableMember(HandleSet set, Handle handle, int events, Object attachment) throws HandleClosedException {
        super(set, handle, events, attachment);
    }

    void placed(int newSlot, int generation, MemoryBlock block, int offset) {
        slot = newSlot;
        foundBy((long) generation << Integer.SIZE | newSlot);
        structure = block.buffer();
        at = offset;
        address = block.address() + offset;
    }

    int slot() {
        return slot;
    }

    /** {@return the memory with this member's structure for the system, for the thread that holds its lock} */
    protected final ByteBuffer structure() {
        return structure;
    }

    /** {@return the offset of the structure in {@link #structure()}} */
    protected final int structureAt() {
        return at;
    }

    /** {@return the address of the structure} */
    protected final long structureAddress() {
        return address;
    }
}
