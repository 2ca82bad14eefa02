package dev.sluice.demultiplexer.afd;

import dev.sluice.calls.Binding;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.SystemCallException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/** The socket driver, and the completion port at which poll requests complete. */
final class AfdDevice implements AutoCloseable {

    private static final long NONE = 0;
    private static final long INVALID_HANDLE_VALUE = -1;

    private final Windows windows;
    private final String demultiplexer;
    private final AtomicInteger requests = new AtomicInteger();
    private long port;
    private AfdDriver driver;
    private final CloseSteps closing = new CloseSteps(this::closeDriver, this::closePort);

    AfdDevice(Binding binding, String demultiplexer) throws SystemCallException {
        this.windows = binding.windows();
        this.demultiplexer = demultiplexer;
        try {
            port = require("CreateIoCompletionPort",
                    windows.CreateIoCompletionPort(INVALID_HANDLE_VALUE, NONE, 0, 0));
            driver = new AfdDriver(binding, demultiplexer);
            require("CreateIoCompletionPort", windows.CreateIoCompletionPort(driver.handle(), port, 0, 0));
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private long require(String call, long result) throws SystemCallException {
        if (result < 0) {
            throw new SystemCallException(call, demultiplexer, WindowsError.toErrno(result));
        }
        return result;
    }

    /**
     * Starts the request at an address. One packet with this identifier will report it.
     *
     * @return whether it was started
     */
    boolean start(long request, long identifier) {
        boolean started = false;
        requests.incrementAndGet();
        try {
            started = driver.poll(request, identifier) >= 0;
        } finally {
            if (!started) {
                completed();
            }
        }
        return started;
    }

    /**
     * Queues the packet of a request that could not be started.
     *
     * @throws UncheckedIOException if the system has no memory for it
     */
    void postInstead(long identifier) {
        boolean posted = false;
        requests.incrementAndGet();
        try {
            post(identifier);
            posted = true;
        } finally {
            if (!posted) {
                completed();
            }
        }
    }

    /** The packet of a request has been taken. */
    void completed() {
        requests.decrementAndGet();
    }

    /** {@return whether there are requests whose packets have not been taken} */
    boolean hasRequests() {
        return requests.get() > 0;
    }

    /**
     * Makes the request at an address complete soon; it may have completed already.
     *
     * @throws UncheckedIOException if the system refuses
     */
    void cancel(long request) {
        int status = driver.cancel(request);
        int error = status < 0 ? windows.RtlNtStatusToDosError(status) : 0;
        if (error != 0 && error != WindowsError.ERROR_NOT_FOUND) {
            throw new UncheckedIOException(
                    new SystemCallException("NtCancelIoFileEx", demultiplexer, WindowsError.toErrno(-error)));
        }
    }

    /** Makes all requests complete soon; needs memory for an {@code IO_STATUS_BLOCK}. */
    void cancelAll(long statusBlock) {
        driver.cancelAll(statusBlock);
    }

    /**
     * Queues a packet with this identifier for a waiter.
     *
     * @throws UncheckedIOException if the system has no memory for it
     */
    void post(long identifier) {
        int result = windows.PostQueuedCompletionStatus(port, 0, 0, identifier);
        if (result < 0) {
            throw new UncheckedIOException(new SystemCallException("PostQueuedCompletionStatus", demultiplexer,
                    WindowsError.toErrno(result)));
        }
    }

    /**
     * Waits for packets.
     *
     * @param packets  is filled in as {@link PacketArray} says
     * @param capacity the maximum number of packets
     * @return their number, 0 if the time was over, or a negated error number
     */
    int await(MemoryBlock packets, int capacity, int timeoutMillis) {
        int result = windows.GetQueuedCompletionStatusEx(port, PacketArray.address(packets), capacity,
                PacketArray.countAddress(packets), timeoutMillis, 0);
        if (result == -WindowsError.WAIT_TIMEOUT) {
            return 0;
        }
        return result < 0 ? WindowsError.toErrno(result) : PacketArray.count(packets);
    }

    @Override
    public void close() {
        closing.run();
    }

    private void closeDriver() {
        if (driver != null) {
            driver.close();
        }
    }

    private void closePort() {
        if (port != NONE) {
            windows.CloseHandle(port);
        }
    }
}
