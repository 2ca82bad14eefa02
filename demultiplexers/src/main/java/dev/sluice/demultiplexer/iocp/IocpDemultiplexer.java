package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.demultiplexer.afd.AfdDriver;
import dev.sluice.demultiplexer.afd.CompletionPort;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.CollectedCompletions;
import dev.sluice.demultiplexer.operation.Deadlines;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.IntegerProperty;
import dev.sluice.demultiplexer.operation.MultiThreadedProcessor;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.operation.VectorForm;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.Handle;
import dev.sluice.system.OperatingSystem;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Completion by a Windows completion port, for any number of threads. */
public final class IocpDemultiplexer extends MultiThreadedProcessor {

    /** The name by which it is chosen. */
    public static final String NAME = "iocp";

    /**
     * System property with the concurrency of the port: while this many threads that have received a packet are
     * running, Windows gives no packet to others. The default, 0, means the number of processors; more suits handlers
     * that block.
     */
    public static final String CONCURRENCY_PROPERTY = "sluice.iocp.concurrency";

    private final Binding binding = Bindings.current();

    // Used by requests
    final Windows windows = binding.windows();
    final ExtensionFunctions extensions;
    final OperatingSystem system = OperatingSystem.of(binding);
    final CompletionPort port;
    /** Executes polls, which complete at the port. */
    final AfdDriver driver;
    /** Receives the rest of truncated datagrams; never read. */
    final MemoryBlock sink;
    final OverlappedPool blocks = new OverlappedPool(binding.memory());
    final UnconfirmedCancellations cancels = new UnconfirmedCancellations(windows, this::signalAWaiter);
    final FilePool files;
    final Deadlines timeouts = deadlines();

    private final TiedHandles tied = new TiedHandles();
    private final CloseSteps disposal;

    /**
     * Opens a demultiplexer with the configured sizes of provided buffers.
     *
     * @throws IllegalArgumentException if {@value #CONCURRENCY_PROPERTY} is not a number of threads, or as for
     *                                  {@link ProvidedBuffers.Size#configured()}
     * @throws IOException              if the system refuses
     */
    public IocpDemultiplexer() throws IOException {
        this(ProvidedBuffers.Size.configured());
    }

    /**
     * Opens a demultiplexer.
     *
     * @param providedBuffers the sizes of the buffers for continuous receives
     * @throws IllegalArgumentException if {@value #CONCURRENCY_PROPERTY} is not a number of threads
     * @throws IOException              if the system refuses
     */
    public IocpDemultiplexer(ProvidedBuffers.Size providedBuffers) throws IOException {
        this(IntegerProperty.of(CONCURRENCY_PROPERTY, 0, Integer.MAX_VALUE, 0), providedBuffers);
    }

    IocpDemultiplexer(int concurrency, ProvidedBuffers.Size providedBuffers) throws IOException {
        super(NAME, VectorForm.WINSOCK, providedBuffers);
        CompletionPort openedPort = null;
        AfdDriver openedDriver = null;
        MemoryBlock allocated = null;
        try {
            extensions = ExtensionFunctions.ask(binding);
            openedPort = new CompletionPort(windows, NAME, concurrency);
            port = openedPort;
            openedDriver = new AfdDriver(binding, NAME, port);
            driver = openedDriver;
            allocated = binding.memory().allocate(ReceiveFrom.SINK_SIZE);
            sink = allocated;
            files = new FilePool("sluice-" + NAME + "-file", FilePool.configuredThreads(), this::signal,
                    outcomes()::failed);
            disposal = new CloseSteps(files::close, driver::close, port::close, tied::clear, this::freeCalls);
            reserveForClose();
        } catch (Throwable e) {
            closeOpened(openedPort, openedDriver, allocated);
            throw e;
        }
    }

    /** Closes what a constructor that failed has opened; the rest is null. */
    private static void closeOpened(@Nullable CompletionPort port, @Nullable AfdDriver driver,
            @Nullable MemoryBlock sink) {
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
    protected Execution<?> newExecution(Arguments arguments) {
        return Kinds.newRequest(this, arguments);
    }

    // Waiting

    /** {@inheritDoc} One is needed that limits its wait, as long as cancellations must be repeated. */
    @Override
    protected boolean handOver(boolean othersWait) {
        return cancels.exist();
    }

    @Override
    protected void await(CollectedCompletions progress, long timeoutNanos) throws IOException {
        ((PortCompletions) progress).await(port, cancels.bound(timeoutNanos));
    }

    @Override
    protected boolean take(CollectedCompletions progress) {
        PortCompletions taken = (PortCompletions) progress;
        boolean signalled = false;
        for (int i = 0; i < taken.packets(); i++) {
            long overlapped = taken.overlapped(i);
            OverlappedRequest<?> request = overlapped == 0 ? null : blocks.at(overlapped).borrower();
            if (request != null) {
                advance(request, taken.transferred(i));
            }
            signalled |= overlapped == 0;
        }
        taken.clearPackets();
        cancels.repeat();
        files.resumePerformed(outcomes());
        return signalled;
    }

    private void advance(OverlappedRequest<?> request, long transferred) {
        try {
            request.advance(transferred);
        } catch (RuntimeException | Error e) {
            // Other packets must still be handled.
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
            // Otherwise the system may still write to the blocks.
            blocks.close();
            sink.close();
        }
    }
}
