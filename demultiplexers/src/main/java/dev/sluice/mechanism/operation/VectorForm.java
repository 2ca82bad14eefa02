package dev.sluice.mechanism.operation;

import java.nio.ByteBuffer;

/** The form that the calls of a system want vectors of buffers and the addresses of datagrams in. */
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
     * @param memory  that holds it
     * @param at      where in it
     * @param address of the bytes
     * @param length  how many
     */
    void setElement(ByteBuffer memory, int at, long address, int length);

    /**
     * Sets what a call is told of a message.
     *
     * @param memory     that holds it
     * @param at         where in it
     * @param name       the address of the peer's address, or of the room for it; 0 if there is none
     * @param nameLength its size in bytes
     * @param vector     the address of the vector
     * @param count      of its elements
     */
    void setMessage(ByteBuffer memory, int at, long name, int nameLength, long vector, int count);

    /**
     * {@return the size of the address that a received message came from}
     *
     * @param memory that holds the message
     * @param at     where in it
     */
    int nameLength(ByteBuffer memory, int at);
}
