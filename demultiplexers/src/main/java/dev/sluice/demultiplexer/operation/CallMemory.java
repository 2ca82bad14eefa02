package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.handle.PeerAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The native memory that the calls of an operation use besides its buffers: a block for a message, the address of the
 * peer and a vector of buffers, and a stage that bytes are copied to or from. Both are borrowed when they are first
 * needed, and released at the completion. Used only inside.
 */
public final class CallMemory {

    /** The maximum number of elements of the vector of one attempt. */
    static final int VECTOR_LENGTH = 16;

    private static final int MESSAGE = 0;
    private static final int NAME = VectorForm.MESSAGE_SIZE;
    private static final int VECTOR = NAME + SockaddrStorage.SIZE;
    /** The size of a block in bytes. */
    static final int BLOCK_SIZE = VECTOR + VECTOR_LENGTH * VectorForm.ELEMENT_SIZE;
    /** The size of a stage in bytes; a longer datagram gets a larger one. */
    static final int STAGE_SIZE = 64 * 1024;

    private final OperationProcessor processor;
    private BlockPool.@Nullable Block block;
    private BlockPool.@Nullable Block stage;
    /** Whether a block or a stage has been borrowed. */
    boolean isBorrowed;
    private int vectorCount;
    private int nameLength;

    CallMemory(OperationProcessor processor) {
        this.processor = processor;
    }

    private OperationMemory pools() {
        return processor.memory;
    }

    private BlockPool.Block block() {
        if (block == null) {
            assert processor.isInside();
            block = pools().blocks.take();
            isBorrowed = true;
        }
        return block;
    }

    /** {@return the block, which has been borrowed before} */
    private BlockPool.Block borrowed() {
        assert block != null;
        return block;
    }

    private BlockPool.Block borrowedStage() {
        assert stage != null;
        return stage;
    }

    // The block as any other structure

    /**
     * {@return the memory of a structure, which is available until the completion} It has 64 bytes; for types without
     * buffers and addresses, the size of the block.
     */
    public ByteBuffer structure() {
        return block().memory();
    }

    /** {@return the offset of the structure in {@link #structure()}} */
    public int structureAt() {
        return block().at();
    }

    /** {@return the address of the structure} */
    public long structureAddress() {
        return block().address();
    }

    // The message

    /** {@return the address of the message, in the system's form} */
    public long message() {
        return borrowed().address() + MESSAGE;
    }

    /** {@return the offset of the message in {@link #structure()}} */
    public int messageAt() {
        return borrowed().at() + MESSAGE;
    }

    /** {@return the address of the vector of {@link #vectorCount()} elements} */
    public long vector() {
        return borrowed().address() + VECTOR;
    }

    /** {@return the offset of the vector in {@link #structure()}} */
    public int vectorAt() {
        return borrowed().at() + VECTOR;
    }

    /** {@return the number of elements in the vector} */
    public int vectorCount() {
        return vectorCount;
    }

    /** {@return the address of the peer's address, or of the space for it} */
    public long name() {
        return borrowed().address() + NAME;
    }

    /** {@return the size in the message of the peer's address, or of the space for it, in bytes; 0 if there is none} */
    public int nameLength() {
        return nameLength;
    }

    /** Begins a message without elements. */
    void clearVector() {
        block();
        vectorCount = 0;
    }

    boolean hasFullVector() {
        return vectorCount == VECTOR_LENGTH;
    }

    void addElement(long address, int bytes) {
        int at = vectorAt() + vectorCount++ * VectorForm.ELEMENT_SIZE;
        pools().vectorForm.setElement(borrowed().memory(), at, address, bytes);
    }

    /** Ends a message, given the length of the peer's address or of the space for it; 0 for none. */
    void endMessage(int lengthOfName) {
        nameLength = lengthOfName;
        pools().vectorForm.setMessage(borrowed().memory(), messageAt(), lengthOfName == 0 ? 0 : name(), lengthOfName,
                vector(), vectorCount);
    }

    /** {@return the length in bytes of the peer's address, which this call stores} */
    int putName(PeerAddress peer) {
        return peer.writeTo(block().memory(), borrowed().at() + NAME);
    }

    /** Reads the address that a received message came from. */
    void readName(PeerAddress peer) {
        ByteBuffer memory = borrowed().memory();
        peer.readFrom(memory, borrowed().at() + NAME, pools().vectorForm.nameLength(memory, messageAt()));
    }

    // The stage

    /** {@return the address of {@link #stageSize()} bytes, which are available until the completion} */
    public long stage() {
        takeStage(STAGE_SIZE);
        return borrowedStage().address();
    }

    /** {@return the size of {@link #stage()} in bytes} */
    public static int stageSize() {
        return STAGE_SIZE;
    }

    /** Borrows a stage of at least the given number of bytes. */
    void takeStage(int bytes) {
        if (stage == null) {
            assert processor.isInside();
            stage = pools().stages.take(bytes);
            isBorrowed = true;
        }
    }

    /** Copies bytes of a buffer to the stage. */
    void put(int at, ByteBuffer source, int from, int bytes) {
        borrowedStage().memory().put(borrowedStage().at() + at, source, from, bytes);
    }

    /** Copies bytes from the stage to the position of a buffer, which does not change. */
    void get(int at, ByteBuffer destination, int bytes) {
        destination.put(destination.position(), borrowedStage().memory(), borrowedStage().at() + at, bytes);
    }

    /**
     * {@return whether the stage has space for a path, which this call stores with a terminating zero}
     *
     * @param at the offset of the path in the stage
     */
    boolean putPath(int at, byte[] path) {
        if (path.length >= STAGE_SIZE - at) {
            return false;
        }
        takeStage(STAGE_SIZE);
        int start = borrowedStage().at() + at;
        borrowedStage().memory().put(start, path).put(start + path.length, (byte) 0);
        return true;
    }

    // The end

    /** Adds memory that is not in a pool to a list, and no longer releases it. */
    void detach(List<Object> memory) {
        if (stage != null && stage.own() != null) {
            memory.add(stage.own());
            stage = null;
        }
    }

    void release() {
        isBorrowed = false;
        vectorCount = 0;
        if (block != null) {
            pools().blocks.release(block);
            block = null;
        }
        if (stage != null) {
            pools().stages.release(stage);
            stage = null;
        }
    }
}
