package dev.sluice.samples.concurrency;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;

/**
 * Waits on a Java primitive while a reactor waits in the kernel. For virtual threads: a system call that blocks would
 * hold their carrier.
 */
final class ParkedTransfer implements EventHandler, BlockingTransfer {

    private final Reactor reactor;
    private final SocketStream stream;
    private final Semaphore ready = new Semaphore(0);

    ParkedTransfer(Reactor reactor, SocketStream stream) throws IOException {
        this.reactor = reactor;
        this.stream = stream;
        reactor.registerHandler(this, 0);
    }

    @Override
    public int receive(ByteBuffer destination) throws IOException {
        int count = stream.receive(destination);
        while (count == 0) {
            await(EventType.READ);
            count = stream.receive(destination);
        }
        return count;
    }

    @Override
    public void send(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            if (stream.send(source) == 0) {
                await(EventType.WRITE);
            }
        }
    }

    private void await(int events) {
        reactor.changeEvents(handle(), events);
        ready.acquireUninterruptibly();
    }

    @Override
    public Handle handle() {
        return stream.handle();
    }

    @Override
    public void handleInput(Handle handle) {
        resume(handle);
    }

    @Override
    public void handleOutput(Handle handle) {
        resume(handle);
    }

    private void resume(Handle handle) {
        reactor.changeEvents(handle, 0);
        ready.release();
    }

    @Override
    public void handleClose(Handle handle, int events) {
        // The next call, after this wait, finds it closed.
        handle.close();
        ready.release();
    }

    @Override
    public void close() {
        stream.close();
    }
}
