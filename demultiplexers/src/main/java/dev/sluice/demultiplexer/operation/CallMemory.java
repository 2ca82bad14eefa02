package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.handle.PeerAddress;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The native memory that the calls of an operation use besides its buffers: a block with a message, the peer's address
 * and the vector of what the message consists of, and a stage that bytes are copied to, or from. Both are borrowed when
 * they are first needed, and released at the completion. Used only inside.
 */
public final class CallMemory {

    /** Elements that one attempt of a vectored operation uses. */
    static final int VECTOR_LENGTH = 16;

    private static final int MESSAGE = 0;
    private static final int NAME = VectorForm.MESSAGE_SIZE;
    private static final int VECTOR = NAME + SockaddrStorage.SIZE;
    /** The size of a block. */
    static final int BLOCK_SIZE = VECTOR + VECTOR_LENGTH * VectorForm.ELEMENT_SIZE;
    /** The size of a stage; a longer datagram gets memory of its own. */
    static final int STAGE_SIZE = 64 * 1024;

    private final OperationProcessor processor;
    private BlockPool.Block block;
    private BlockPool.Block stage;
    /** Whether there is anything to release. */
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

    // The block as a structure of another kind

    /**
     * {@return the memory with space for a structure, available until the completion: 64 bytes, or the whole block for
     * the types without buffers and addresses}
     */
    public ByteBuffer structure() {
        return block().memory();
    }

    /** {@return where {@link #structure()} begins in its memory} */
    public int structureAt() {
        return block().at();
    }

    /** {@return the address of {@link #structure()}} */
    public long structureAddress() {
        return block().address();
    }

    // The message

    /** {@return the address of the message, in the system's form} */
    public long message() {
        return block.address() + MESSAGE;
    }

    /** {@return where the message begins in the memory of {@link #structure()}} */
    public int messageAt() {
        return block.at() + MESSAGE;
    }

    /** {@return the address of the vector of {@link #vectorCount()} elements} */
    public long vector() {
        return block.address() + VECTOR;
    }

    /** {@return where the vector begins in the memory of {@link #structure()}} */
    public int vectorAt() {
        return block.at() + VECTOR;
    }

    /** {@return the number of elements in the vector} */
    public int vectorCount() {
        return vectorCount;
    }

    /** {@return the address of the peer's address or of the space for it} */
    public long name() {
        return block.address() + NAME;
    }

    /** {@return the size in the message of the peer's address, or of the space for it, in bytes; 0 if there is none} */
    public int nameLength() {
        return nameLength;
    }

    /** Begins a message without any elements. */
    void clearVector() {
        block();
        vectorCount = 0;
    }

    boolean hasFullVector() {
        return vectorCount == VECTOR_LENGTH;
    }

    void addElement(long address, int bytes) {
        int at = vectorAt() + vectorCount++ * VectorForm.ELEMENT_SIZE;
        pools().vectorForm.setElement(block.memory(), at, address, bytes);
    }

    /** Ends a message, with the peer's address that has been put, or with space for one, or with none. */
    void endMessage(int lengthOfName) {
        nameLength = lengthOfName;
        pools().vectorForm.setMessage(block.memory(), messageAt(), lengthOfName == 0 ? 0 : name(), lengthOfName,
                vector(), vectorCount);
    }

    /** {@return the length of the peer's address, which is stored, in bytes} */
    int putName(PeerAddress peer) {
        return peer.writeTo(block().memory(), block.at() + NAME);
    }

    /** Reads the address that a received message came from. */
    void readName(PeerAddress peer) {
        peer.readFrom(block.memory(), block.at() + NAME, pools().vectorForm.nameLength(block.memory(), messageAt()));
    }

    // The stage

    /** {@return the address of {@link #stageSize()} bytes, available until the completion} */
    public long stage() {
        takeStage(STAGE_SIZE);
        return stage.address();
    }

    /** {@return the size of {@link #stage()} in bytes} */
    public static int stageSize() {
        return STAGE_SIZE;
    }

    /** Borrows a stage that is long enough. */
    void takeStage(int bytes) {
        if (stage == null) {
            assert processor.isInside();
            stage = pools().stages.take(bytes);
            isBorrowed = true;
        }
    }

    /** Copies bytes to the stage. */
    void put(int at, ByteBuffer source, int from, int bytes) {
        stage.memory().put(stage.at() + at, source, from, bytes);
    }

    /** Copies bytes from the stage to where a buffer has its position, which stays. */
    void get(int at, ByteBuffer destination, int bytes) {
        destination.put(destination.position(), stage.memory(), stage.at() + at, bytes);
    }

    /** {@return whether the stage has space for a path, which is stored and ends with a zero} */
    boolean putPath(byte[] path) {
        if (path.length >= STAGE_SIZE) {
            return false;
        }
        takeStage(STAGE_SIZE);
        stage.memory().put(stage.at(), path);
        stage.memory().put(stage.at() + path.length, (byte) 0);
        return true;
    }

    // The end

    /** Adds the memory that is in no pool, and does not give it back. */
    void leave(List<Object> memory) {
        if (stage != null && stage.own() != null) {
            memory.add(stage.own());
            stage = null;
        }
    }

    void giveBack() {
        isBorrowed = false;
        vectorCount = 0;
        if (block != null) {
            pools().blocks.giveBack(block);
            block = null;
        }
        if (stage != null) {
            pools().stages.giveBack(stage);
            stage = null;
        }
    }
}
