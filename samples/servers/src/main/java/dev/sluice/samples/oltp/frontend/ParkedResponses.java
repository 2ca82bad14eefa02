package dev.sluice.samples.oltp.frontend;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The link is a handle of a reactor, whose thread unparks who waits for a response. */
final class ParkedResponses implements Responses {

    private final Reactor reactor;
    // Waited for without a monitor, which would pin a virtual thread's carrier before Java 24.
    private final Map<Long, CompletableFuture<byte[]>> expected = new ConcurrentHashMap<>();
    private volatile IOException lost;

    ParkedResponses(Reactor reactor) {
        this.reactor = reactor;
    }

    @Override
    public Registration receive(Handle handle, EventHandler link) throws IOException {
        return reactor.register(handle, Interest.READ, link);
    }

    @Override
    public PendingResponse expect(long tag) throws IOException {
        CompletableFuture<byte[]> response = new CompletableFuture<>();
        expected.put(tag, response);
        IOException cause = lost;
        if (cause != null) {
            expected.remove(tag);
            throw new IOException(FileProblem.describe(cause), cause);
        }
        return deadline -> await(tag, response, deadline);
    }

    private byte[] await(long tag, CompletableFuture<byte[]> response, long deadline) throws IOException {
        try {
            return response.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new SocketTimeoutException("no response in time");
        } catch (ExecutionException e) {
            throw new IOException(FileProblem.describe(e.getCause()), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a response");
        } finally {
            expected.remove(tag);
        }
    }

    @Override
    public void handOff(long tag, byte[] response) {
        CompletableFuture<byte[]> waiting = expected.remove(tag);
        if (waiting != null) {
            waiting.complete(response);
        }
    }

    @Override
    public void lose(IOException cause) {
        lost = cause;
        // A thread that adds one after this iteration finds the link lost.
        expected.values().forEach(waiting -> waiting.completeExceptionally(cause));
    }
}
