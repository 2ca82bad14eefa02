package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketAcceptor;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** The ways to start an operation: each takes the arguments of its kind, fills them in, and starts. Has no state. */
abstract class StartableOperation implements Operation {

    /**
     * Claims it, unless the caller has.
     *
     * @param type what it is to do
     * @return what that kind is asked for
     */
    abstract Arguments prepare(OperationType type);

    /** As {@link #prepare(OperationType)}, for an operation on a handle. */
    abstract Arguments prepare(OperationType type, Association where);

    /** Checks the arguments, and starts what it was prepared for. */
    abstract void start();

    @Override
    public final void accept(Association where, SocketAcceptor acceptor) {
        accept(OperationType.ACCEPT, where, acceptor);
    }

    @Override
    public final void acceptContinuously(Association where, SocketAcceptor acceptor) {
        accept(OperationType.ACCEPT_CONTINUOUSLY, where, acceptor);
    }

    private void accept(OperationType how, Association where, SocketAcceptor acceptor) {
        ((Accepting) prepare(how, where)).set(acceptor);
        start();
    }

    @Override
    public final void connect(Association where, PeerAddress remote) {
        ((Peer) prepare(OperationType.CONNECT, where)).set(remote);
        start();
    }

    @Override
    public final void shutdown(Association where, boolean ofOutput) {
        ((ClosedHalf) prepare(OperationType.SHUTDOWN, where)).set(ofOutput);
        start();
    }

    @Override
    public final void receive(Association where, ByteBuffer destination) {
        transfer(OperationType.RECEIVE, where, destination, 0, false);
    }

    @Override
    public final void receive(Association where, ByteBuffer[] destinations, int first, int number) {
        transfer(OperationType.RECEIVE, where, destinations, first, number, 0, false);
    }

    @Override
    public final void receiveContinuously(Association where) {
        prepare(OperationType.RECEIVE_CONTINUOUSLY, where);
        start();
    }

    @Override
    public final void send(Association where, ByteBuffer source, boolean all) {
        transfer(OperationType.SEND, where, source, 0, all);
    }

    @Override
    public final void send(Association where, ByteBuffer[] sources, int first, int number, boolean all) {
        transfer(OperationType.SEND, where, sources, first, number, 0, all);
    }

    @Override
    public final void transmitFile(Association where, FileHandle file, long from, long number, ByteBuffer head,
            ByteBuffer tail) {
        ((Transmission) prepare(OperationType.TRANSMIT_FILE, where)).set(file, from, number, head, tail);
        start();
    }

    @Override
    public final void receiveFrom(Association where, ByteBuffer destination, PeerAddress sender) {
        ((Datagram) prepare(OperationType.RECEIVE_FROM, where)).set(destination, sender);
        start();
    }

    @Override
    public final void sendTo(Association where, ByteBuffer source, PeerAddress remote) {
        ((Datagram) prepare(OperationType.SEND_TO, where)).set(source, remote);
        start();
    }

    @Override
    public final void open(Path path, OpenOption... options) {
        ((Opening) prepare(OperationType.OPEN)).set(path, options);
        start();
    }

    @Override
    public final void read(Association where, ByteBuffer destination, long from) {
        transfer(OperationType.READ, where, destination, from, false);
    }

    @Override
    public final void read(Association where, ByteBuffer[] destinations, int first, int number, long from) {
        transfer(OperationType.READ, where, destinations, first, number, from, false);
    }

    @Override
    public final void write(Association where, ByteBuffer source, long at) {
        transfer(OperationType.WRITE, where, source, at, true);
    }

    @Override
    public final void write(Association where, ByteBuffer[] sources, int first, int number, long at) {
        transfer(OperationType.WRITE, where, sources, first, number, at, true);
    }

    private void transfer(OperationType type, Association where, ByteBuffer buffer, long position, boolean all) {
        ((Transfer) prepare(type, where)).set(buffer, position, all);
        start();
    }

    private void transfer(OperationType type, Association where, ByteBuffer[] buffers, int first, int number,
            long position, boolean all) {
        ((Transfer) prepare(type, where)).set(buffers, first, number, position, all);
        start();
    }

    @Override
    public final void force(Association where) {
        prepare(OperationType.FORCE, where);
        start();
    }

    @Override
    public final void forceData(Association where) {
        prepare(OperationType.FORCE_DATA, where);
        start();
    }

    @Override
    public final void poll(Association where, int events) {
        ((Events) prepare(OperationType.POLL, where)).set(events);
        start();
    }

    @Override
    public final void close(Association where) {
        prepare(OperationType.CLOSE, where);
        start();
    }

    @Override
    public final void timeout(long nanos) {
        ((Delay) prepare(OperationType.TIMEOUT)).set(nanos);
        start();
    }

    @Override
    public final void post(long result) {
        ((Posted) prepare(OperationType.POST)).set(result);
        start();
    }
}
