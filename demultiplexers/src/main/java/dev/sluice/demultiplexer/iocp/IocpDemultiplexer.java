package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.afd.AfdDriver;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.CollectedCompletions;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.FileThreads;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.MultiThreadedProcessor;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.operation.PooledBuffer;
import dev.sluice.demultiplexer.operation.PooledCall;
import dev.sluice.demultiplexer.operation.VectorForm;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OperatingSystem;
import java.io.IOException;

/** Completion through a Windows completion port, for any number of threads. */
public final class IocpDemultiplexer extends MultiThreadedProcessor {

    /** The name by which it is chosen. */
    public static final String NAME = "iocp";

    private final Binding binding = Bindings.current();
    private final CompletionPort port;
    private final AfdDriver driver;
    private final MemoryBlock sink;
    private final OverlappedCalls calls;
    private final FilePool files;
    private final Kinds kinds;
    private final TiedHandles tied = new TiedHandles();
    private final CloseSteps disposal;

    /**
     * Opens a demultiplexer.
     *
     * @throws IOException if the system refuses
     */
    public IocpDemultiplexer() throws IOException {
        this(IocpOptions.configured());
    }

    /**
     * Opens a demultiplexer.
     *
     * @param options how it works
     * @throws IOException if the system refuses
     */
    public IocpDemultiplexer(IocpOptions options) throws IOException {
        super(NAME, VectorForm.WINSOCK, options.providedBuffers());
        CompletionPort openedPort = null;
        AfdDriver openedDriver = null;
        MemoryBlock allocated = null;
        try {
            ExtensionFunctions extensions = ExtensionFunctions.ask(binding);
            openedPort = new CompletionPort(binding.windows(), NAME, options.concurrency());
            port = openedPort;
            openedDriver = new AfdDriver(binding, NAME);
            driver = openedDriver;
            tie(driver);
            allocated = binding.memory().allocate(ReceiveFrom.SINK_SIZE);
            sink = allocated;
            calls = new OverlappedCalls(outcomes(), binding, extensions, port, this::signalAWaiter);
            files = new FilePool("sluice-" + NAME + "-file", FileThreads.configured(), this::signal,
                    outcomes()::failed);
            kinds = new Kinds(calls, OperatingSystem.of(binding), driver, sink, files, deadlines());
            disposal = new CloseSteps(files::close, driver::close, port::close, tied::clear, this::freeCalls);
            reserveForClose();
        } catch (Throwable e) {
            closeOpened(openedPort, openedDriver, allocated);
            throw e;
        }
    }

    /** Makes the answers to polls come to the port. */
    private void tie(AfdDriver polled) throws SystemCallException {
        int result = port.tie(polled.handle());
        if (result < 0) {
            throw new SystemCallException("CreateIoCompletionPort", NAME, WindowsError.toErrno(result));
        }
    }

    /** Closes what a constructor has opened so far; the rest is null. */
    private static void closeOpened(CompletionPort port, AfdDriver driver, MemoryBlock sink) {
        if (sink != null) {
            sink.close();
        }
        if (driver != null) {
            driver.close();
        }
        if (port != null) {
            port.close();
        }
    }

    @Override
    public CollectedCompletions newCompletions(int capacity) {
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
    protected Execution newExecution(Arguments asked) {
        return kinds.newRequest(asked);
    }

    @Override
    protected void provide(PooledBuffer buffer) {
        kinds.provide(buffer);
    }

    // Waiting

    @Override
    protected void await(CollectedCompletions progress, long timeoutNanos) throws IOException {
        port.dequeue(((PortCompletions) progress).packets(), calls.bound(timeoutNanos));
    }

    @Override
    protected boolean take(CollectedCompletions progress) {
        Packets packets = ((PortCompletions) progress).packets();
        boolean signalled = false;
        for (int i = 0; i < packets.count(); i++) {
            long overlapped = packets.overlapped(i);
            OverlappedRequest request = overlapped == 0 ? null : calls.request(overlapped);
            if (request != null) {
                goOn(request, packets.transferred(i));
            }
            signalled |= overlapped == 0;
        }
        packets.count(0);
        calls.repeatCancels();
        PooledCall performed = files.takePerformed();
        while (performed != null) {
            PooledCall next = performed.takeNextPerformed();
            takePerformed(performed, performed.operation());
            performed = next;
        }
        return signalled;
    }

    private void goOn(OverlappedRequest request, long transferred) {
        try {
            request.goOn(transferred);
        } catch (RuntimeException | Error e) {
            // The other packets must still be handled.
            outcomes().failed(request.operation(), e);
        }
    }

    private void takePerformed(PooledCall call, OperationSlot operation) {
        Throwable failure = call.takeFailure();
        if (failure == null) {
            performed(call, operation);
        } else {
            outcomes().failed(operation, failure);
        }
    }

    private void performed(PooledCall call, OperationSlot operation) {
        try {
            ((Request) operation.execution()).performed(call.result());
        } catch (RuntimeException | Error e) {
            // The other performed operations must still be handled.
            outcomes().failed(operation, e);
        }
    }

    @Override
    protected void signal() {
        port.post(0);
    }

    // The end

    @Override
    protected void dispose() {
        disposal.run();
    }

    private void freeCalls() {
        if (!hasInFlight()) {
            // Otherwise the system may still write to them.
            calls.close();
            sink.close();
        }
    }
}
