package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.afd.AfdDriver;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.CollectedCompletions;
import dev.sluice.demultiplexer.operation.Deadlines;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.FileThreads;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.MultiThreadedProcessor;
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

    // What requests use
    final Windows windows = binding.windows();
    final ExtensionFunctions extensions;
    final OperatingSystem system = OperatingSystem.of(binding);
    final CompletionPort port;
    /** For polls, tied to the port. */
    final AfdDriver driver;
    /** Receives the rest of datagrams that do not fit; never read. */
    final MemoryBlock sink;
    final OverlappedPool blocks = new OverlappedPool(binding.memory());
    final UnconfirmedCancellations cancels = new UnconfirmedCancellations(windows, this::signalAWaiter);
    final FilePool files;
    final Deadlines timeouts = deadlines();

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
            extensions = ExtensionFunctions.ask(binding);
            openedPort = new CompletionPort(windows, NAME, options.concurrency());
            port = openedPort;
            openedDriver = new AfdDriver(binding, NAME);
            driver = openedDriver;
            // Makes the answers to polls come to the port.
            int result = port.tie(driver.handle());
            if (result < 0) {
                throw new SystemCallException("CreateIoCompletionPort", NAME, WindowsError.toErrno(result));
            }
            allocated = binding.memory().allocate(ReceiveFrom.SINK_SIZE);
            sink = allocated;
            files = new FilePool("sluice-" + NAME + "-file", FileThreads.configured(), this::signal,
                    outcomes()::failed);
            disposal = new CloseSteps(files::close, driver::close, port::close, tied::clear, this::freeCalls);
            reserveForClose();
        } catch (Throwable e) {
            closeOpened(openedPort, openedDriver, allocated);
            throw e;
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

    // Operations

    @Override
    protected Execution newExecution(Arguments asked) {
        return Kinds.newRequest(this, asked);
    }

    // Waiting

    @Override
    protected void await(CollectedCompletions progress, long timeoutNanos) throws IOException {
        port.dequeue((PortCompletions) progress, cancels.bound(timeoutNanos));
    }

    @Override
    protected boolean take(CollectedCompletions progress) {
        PortCompletions taken = (PortCompletions) progress;
        boolean signalled = false;
        for (int i = 0; i < taken.packets(); i++) {
            long overlapped = taken.overlapped(i);
            OverlappedRequest<?> request = overlapped == 0 ? null : blocks.at(overlapped).borrower();
            if (request != null) {
                goOn(request, taken.transferred(i));
            }
            signalled |= overlapped == 0;
        }
        taken.clearPackets();
        cancels.repeat();
        files.resumePerformed(outcomes());
        return signalled;
    }

    private void goOn(OverlappedRequest<?> request, long transferred) {
        try {
            request.goOn(transferred);
        } catch (RuntimeException | Error e) {
            // The other packets must still be handled.
            outcomes().failed(request.operation, e);
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
            blocks.close();
            sink.close();
        }
    }
}
