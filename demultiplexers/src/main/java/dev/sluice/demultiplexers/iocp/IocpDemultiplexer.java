package dev.sluice.demultiplexers.iocp;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexers.operation.FilePool;
import dev.sluice.demultiplexers.operation.HandleAssociation;
import dev.sluice.demultiplexers.operation.HoldingCompletions;
import dev.sluice.demultiplexers.operation.NativeOperation;
import dev.sluice.demultiplexers.operation.PooledBuffer;
import dev.sluice.demultiplexers.operation.SharedProcessor;
import dev.sluice.demultiplexers.operation.VectorForm;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.util.ArrayDeque;

/** Completion through a completion port of Windows, for any number of threads. */
public final class IocpDemultiplexer extends SharedProcessor {

    /** The name by which it is chosen. */
    public static final String NAME = "iocp";

    /** How many calls of one operation may be over at once, before others get their turn. */
    private static final int CALLS_PER_TURN = 8;
    /** More than any datagram has. */
    private static final int SINK_SIZE = 64 * 1024;

    private final Binding binding = Bindings.current();
    private final CompletionPort port;
    private final AfdPoll readiness;
    private final MemoryBlock sink;
    private final ExtensionFunctions extensions;
    private final OverlappedCalls calls;
    private final OverlappedPool blocks;
    private final FilePool files;
    private final UnheardCancels unheardCancels = new UnheardCancels();
    private final TiedHandles tied = new TiedHandles();
    private final ArrayDeque<PooledBuffer> freeBuffers = new ArrayDeque<>();

    /**
     * Opens it.
     *
     * @throws IOException if the system refuses
     */
    public IocpDemultiplexer() throws IOException {
        this(IocpOptions.configured());
    }

    /**
     * Opens it.
     *
     * @param options how it works
     * @throws IOException if the system refuses
     */
    public IocpDemultiplexer(IocpOptions options) throws IOException {
        super(NAME, VectorForm.WINSOCK, options.providedBuffers());
        extensions = ExtensionFunctions.ask(binding);
        port = new CompletionPort(binding.windows(), NAME, options.concurrency());
        readiness = openReadiness();
        MemoryBlock allocated = null;
        try {
            allocated = binding.memory().allocate(SINK_SIZE);
            reserveForClose();
        } catch (Throwable e) {
            if (allocated != null) {
                allocated.close();
            }
            readiness.close();
            port.close();
            throw e;
        }
        sink = allocated;
        calls = new OverlappedCalls(binding, extensions, sink.address(), SINK_SIZE);
        blocks = new OverlappedPool(binding.memory());
        files = new FilePool("sluice-" + NAME, this::perform, this::signal, this::failed);
    }

    private AfdPoll openReadiness() throws IOException {
        try {
            return new AfdPoll(binding, extensions.kernelHandles(), port);
        } catch (Throwable e) {
            port.close();
            throw e;
        }
    }

    @Override
    protected NativeOperation newNativeOperation(Object attachment) {
        return new IocpOperation(this, attachment);
    }

    @Override
    public HoldingCompletions newCompletions(int capacity) {
        return new PortCompletions(this, binding.memory(), capacity);
    }

    @Override
    protected HandleAssociation newAssociation(Handle handle) throws IOException {
        return new IocpAssociation(this, handle, port, tied);
    }

    @Override
    protected void ending(HandleAssociation association) {
        if (((IocpAssociation) association).isTied()) {
            tied.add(association.handle());
        }
    }

    // Operations

    @Override
    protected void begin(NativeOperation begun) {
        IocpOperation operation = (IocpOperation) begun;
        switch (operation.type()) {
            case SHUTDOWN -> shutdown(operation);
            case TIMEOUT -> deadlines().add(operation);
            case OPEN, FORCE, CLOSE -> files.submit(operation);
            case POLL -> {
                operation.block = blocks.lend(operation);
                poll(operation);
            }
            case POST -> throw new IllegalStateException("a post needs no execution");
            default -> {
                if (maySkipPackets(operation)) {
                    ((IocpAssociation) operation.handle()).skipPackets(binding.windows());
                }
                operation.reset();
                operation.block = blocks.lend(operation);
                proceed(operation);
            }
        }
    }

    /** Whether a call on the handle that succeeds at once can be told not to bring a packet. */
    private boolean maySkipPackets(IocpOperation operation) {
        return switch (operation.type()) {
            case READ, WRITE -> true;
            // UDP has brought the packet all the same in some versions.
            case RECEIVE_FROM, SEND_TO -> false;
            default -> extensions.kernelHandles();
        };
    }

    private void shutdown(IocpOperation operation) {
        int result = calls.shutdown(operation);
        if (result >= 0 && !operation.wantsAll()
                && operation.handle().active(true) instanceof IocpOperation receive && receive.pending) {
            receive.shutDown = true;
            cancelCall(receive);
        }
        complete(operation, result);
    }

    private void poll(IocpOperation operation) {
        if (operation.isCancelRequested()) {
            finish(operation, -Errno.ECANCELED.number(), null);
            return;
        }
        long result = readiness.request(operation);
        operation.pending = result == OverlappedCalls.PENDING;
        if (!operation.pending) {
            finish(operation, result, null);
        }
    }

    /** Makes calls until one goes on in the background, or the operation has completed. */
    private void proceed(IocpOperation operation) {
        do {
            if (!makeCalls(operation)) {
                return;
            }
        } while (!yields(operation));
    }

    /** {@return whether it goes on with another call} */
    private boolean makeCalls(IocpOperation operation) {
        for (int i = 0; i < CALLS_PER_TURN; i++) {
            if (operation.isCancelRequested()) {
                finish(operation, -Errno.ECANCELED.number(), null);
                return false;
            }
            boolean needsBuffer = operation.readable && operation.receiving == null;
            if (needsBuffer && hasTakenItsShare(operation)) {
                release(operation);
                pause(operation);
                return false;
            }
            if (needsBuffer && !takeBuffer(operation)) {
                release(operation);
                starve(operation);
                return false;
            }
            long result = calls.make(operation);
            if (result == OverlappedCalls.PENDING) {
                operation.pending = true;
                return false;
            }
            operation.failedAtOnce = result < 0;
            if (!took(operation, result)) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether it goes on when others have had their turn; else it has to go on at once} */
    private boolean yields(IocpOperation operation) {
        if (!port.tryToPost(operation.block.address())) {
            return false;
        }
        operation.yielding = true;
        operation.pending = true;
        return true;
    }

    /** {@return false if there is none} */
    private boolean takeBuffer(IocpOperation operation) {
        if (freeBuffers.isEmpty()) {
            providedBuffers().grow();
        }
        operation.receiving = freeBuffers.poll();
        return operation.receiving != null;
    }

    @Override
    protected void provide(PooledBuffer buffer) {
        // On top: what was used last is in the processor's cache.
        freeBuffers.push(buffer);
    }

    /**
     * Takes the result of a call.
     *
     * @return whether the operation goes on with another one
     */
    private boolean took(IocpOperation operation, long result) {
        return switch (operation.type()) {
            case ACCEPT, ACCEPT_CONTINUOUSLY -> accepted(operation, result);
            case CONNECT -> finish(operation, result < 0 ? result : calls.finishConnect(operation), null);
            case RECEIVE_CONTINUOUSLY -> received(operation, result);
            case READ, WRITE -> movedElement(operation, result);
            case TRANSMIT_FILE -> transmitted(operation, result);
            default -> moved(operation, result);
        };
    }

    private boolean moved(IocpOperation operation, long result) {
        boolean more = hasMore(operation, result);
        if (!more) {
            release(operation);
        }
        return more;
    }

    private boolean accepted(IocpOperation operation, long result) {
        if (result < 0) {
            calls.dropSocket(operation);
            return isPassedOver(Errno.of(result)) || finish(operation, result, null);
        }
        if (calls.finishAccept(operation) < 0) {
            // Whatever the error, it is this connection's: most often the peer has reset it in between.
            calls.dropSocket(operation);
            return true;
        }
        long socket = operation.socket;
        operation.socket = IocpOperation.NO_SOCKET;
        SocketStream stream = operation.adoptStream(socket);
        if (stream != null && operation.type() == OperationType.ACCEPT) {
            return finish(operation, 0, stream);
        }
        if (stream != null) {
            report(operation, 0, stream);
        }
        return true;
    }

    /** A peer that has given up its connection before it was accepted shows as a reset here. */
    private static boolean isPassedOver(Errno error) {
        return error == Errno.ECONNRESET || SocketAcceptor.passedOver(error);
    }

    private boolean received(IocpOperation operation, long result) {
        PooledBuffer buffer = operation.receiving;
        if (buffer == null) {
            operation.readable = result >= 0;
            return result >= 0 || finish(operation, result, null);
        }
        operation.receiving = null;
        if (result > 0) {
            // A buffer that is not full has taken all there was.
            operation.readable = result == buffer.size();
            report(operation, result, buffer.filled((int) result));
            return true;
        }
        providedBuffers().giveBack(buffer);
        operation.readable = false;
        return Errno.EAGAIN.is(result) || finish(operation, result, null);
    }

    private boolean movedElement(IocpOperation operation, long result) {
        boolean full = result == OverlappedCalls.elementLength(operation);
        // What has been moved counts; the error comes again with the next call.
        long sum = operation.movedBefore + (result < 0 && operation.movedBefore > 0 ? 0 : result);
        if (full && ++operation.element < operation.vectorCount()) {
            operation.movedBefore = sum;
            return true;
        }
        operation.reset();
        return moved(operation, sum);
    }

    private boolean transmitted(IocpOperation operation, long result) {
        if (result < 0) {
            return finish(operation, result, null);
        }
        operation.moved(result);
        return result > 0 && operation.done() < operation.amount() || finish(operation, operation.done(), null);
    }

    /** {@return false, since the operation makes no more calls} */
    private boolean finish(IocpOperation operation, long result, Object resource) {
        release(operation);
        complete(operation, result, resource);
        return false;
    }

    @Override
    protected boolean giveUp(NativeOperation begun) {
        IocpOperation operation = (IocpOperation) begun;
        if (operation.pending) {
            return false;
        }
        if (operation.socket != IocpOperation.NO_SOCKET) {
            calls.dropSocket(operation);
        }
        if (operation.receiving != null) {
            PooledBuffer unused = operation.receiving;
            operation.receiving = null;
            providedBuffers().giveBack(unused);
        }
        if (operation.block != null) {
            release(operation);
        }
        return true;
    }

    private void release(IocpOperation operation) {
        if (operation.failedAtOnce) {
            blocks.giveBackAfterFailure(operation.block);
        } else {
            blocks.giveBack(operation.block);
        }
        operation.failedAtOnce = false;
        operation.block = null;
    }

    // By the threads of the pool

    private long perform(NativeOperation performed) {
        IocpOperation operation = (IocpOperation) performed;
        return switch (operation.type()) {
            case OPEN -> open(operation);
            case FORCE -> calls.force(operation.descriptor());
            case CLOSE -> calls.close(operation.descriptor(), operation.handle().handle().isSocket());
            default -> throw new IllegalStateException("not for the pool: " + operation);
        };
    }

    private static long open(IocpOperation operation) {
        try {
            operation.opened = FileHandle.open(operation.path(), operation.openOptions());
            return 0;
        } catch (SystemCallException e) {
            return -(e.error() == Errno.UNKNOWN ? Errno.EIO : e.error()).number();
        } catch (IOException e) {
            return -Errno.EIO.number();
        }
    }

    private void performed(IocpOperation operation) {
        FileHandle opened = operation.opened;
        operation.opened = null;
        complete(operation, operation.performedResult(), opened);
    }

    // Cancelling

    @Override
    protected void cancelBegun(NativeOperation begun) {
        IocpOperation operation = (IocpOperation) begun;
        if (operation.pending && operation.type() == OperationType.POLL) {
            readiness.cancel(operation);
        } else if (operation.pending) {
            cancelCall(operation);
        } else if (operation.type() == OperationType.TIMEOUT) {
            deadlines().remove(operation);
            complete(operation, -Errno.ECANCELED.number());
        } else if (files.withdraw(operation)) {
            complete(operation, -Errno.ECANCELED.number());
        }
    }

    private void cancelCall(IocpOperation operation) {
        if (!calls.cancel(operation)) {
            unheardCancels.add(operation);
            // Whoever waits would wait too long.
            signalAWaiter();
        }
    }

    // Waiting

    @Override
    protected void await(HoldingCompletions progress, long timeoutNanos) throws IOException {
        port.dequeue(((PortCompletions) progress).packets(), unheardCancels.bound(timeoutNanos));
    }

    @Override
    protected boolean take(HoldingCompletions progress) {
        Packets packets = ((PortCompletions) progress).packets();
        boolean signalled = false;
        for (int i = 0; i < packets.count(); i++) {
            long overlapped = packets.overlapped(i);
            IocpOperation operation = overlapped == 0 ? null : blocks.at(overlapped).borrower();
            if (operation != null) {
                taken(operation, packets.transferred(i));
            }
            signalled |= overlapped == 0;
        }
        packets.count(0);
        unheardCancels.repeat(calls);
        NativeOperation performed = files.takePerformed();
        while (performed != null) {
            NativeOperation next = performed.takeNextPerformed();
            Throwable failure = performed.takePerformedFailure();
            if (failure == null) {
                performed((IocpOperation) performed);
            } else {
                failed(performed, failure);
            }
            performed = next;
        }
        return signalled;
    }

    private void taken(IocpOperation operation, long transferred) {
        try {
            goOn(operation, transferred);
        } catch (RuntimeException | Error e) {
            // There are other packets.
            failed(operation, e);
        }
    }

    private void goOn(IocpOperation operation, long transferred) {
        operation.pending = false;
        operation.failedAtOnce = false;
        if (operation.type() == OperationType.POLL) {
            polled(operation);
        } else if (operation.yielding) {
            operation.yielding = false;
            proceed(operation);
        } else if (took(operation, result(operation, transferred))) {
            proceed(operation);
        }
    }

    private long result(IocpOperation operation, long transferred) {
        long result = calls.result(operation, transferred);
        if (Errno.ECANCELED.is(result) && operation.shutDown && !operation.isCancelRequested()) {
            return 0;
        }
        if (result < 0 && operation.type() == OperationType.SEND) {
            // What has been sent before the failure counts.
            operation.moved(transferred);
        }
        return result;
    }

    private void polled(IocpOperation operation) {
        int events = readiness.ready(operation);
        if (events != 0) {
            finish(operation, events, null);
        } else {
            poll(operation);
        }
    }

    @Override
    protected void signal() {
        port.post(0);
    }

    // The end

    @Override
    protected void dispose() {
        files.close();
        readiness.close();
        port.close();
        tied.clear();
        if (!hasInFlight()) {
            // Otherwise the system may still write to them.
            blocks.close();
            sink.close();
        }
    }
}
