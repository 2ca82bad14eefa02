package dev.sluice.demultiplexer.operation;

import java.nio.ByteBuffer;

/** The form in which a system's calls want vectors of buffers and the addresses of datagrams. */
public interface VectorForm {

    /** {@code iovec} and {@code msghdr}. */
    VectorForm POSIX = new PosixVectorForm();

    /** {@code WSABUF}; the address of a datagram is an argument of its own. */
    VectorForm WINSOCK = new WinsockVectorForm();

    /** The most bytes that the structure of a message takes. */
    int MESSAGE_SIZE = 64;

    /** The size of an element of a vector in bytes. */
    int ELEMENT_SIZE = 16;

    /**
     * Sets an element of a vector.
     *
     * @param memory  the memory that holds it
     * @param at      the offset in that memory
     * @param address of the bytes
     * @param length  how many
     */
    void setElement(ByteBuffer memory, int at, long address, int length);

    /**
     * Fills in the description of a message for a call.
     *
     * @param memory     the memory that holds it
     * @param at         the offset in that memory
     * @param name       the address of the peer's address, or of the room for it; 0 if there is none
     * @param nameLength its size in bytes
     * @param vector     the address of the vector
     * @param count      the number of its elements
     */
    void setMessage(ByteBuffer memory, int at, long name, int nameLength, long vector, int count);

    /**
     * {@return the size of the address that a received message came from}
     *
     * @param memory the memory that holds the message
     * @param at     the offset in that memory
     */
    int nameLength(ByteBuffer memory, int at);
}
