package dev.sluice.wine;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.SmallJvm;
import dev.sluice.calls.Windows;
import dev.sluice.calls.layout.Win32Constants;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** A program that starts the host, says which process that is, and ends in one way or the other. */
final class HostUser {

    /** System property: how it ends. */
    static final String END = "end";
    /** In order. */
    static final String ORDINARY = "ordinary";
    /** At once, as if killed: nothing of the program runs any more. */
    static final String HALTED = "halted";
    /** In order, with a last call in a shutdown hook. */
    static final String BY_HOOK = "by-hook";
    /** After its host, saying how calls fail then. */
    static final String AFTER_HOST = "after-host";

    /** After its host, which has jumped to nowhere. */
    static final String AFTER_CRASH = "after-crash";
    /** After its host, which has been stopped and does nothing any more. */
    static final String AFTER_STOP = "after-stop";

    private HostUser() {
    }

    public static void main(String[] none) throws Exception {
        Binding binding = Bindings.current();
        ProcessHandle host = ProcessHandle.current().children()
                .filter(child -> child.info().command().orElse("").contains("wine")).findFirst().orElseThrow();
        System.out.println(SmallJvm.MARK + host.pid());
        switch (System.getProperty(END)) {
            case ORDINARY -> binding.windows().closesocket(0);
            case BY_HOOK -> Runtime.getRuntime().addShutdownHook(new Thread(() -> callLate(binding.windows())));
            case HALTED -> Runtime.getRuntime().halt(0);
            case AFTER_HOST -> outlive(host, binding);
            case AFTER_CRASH -> {
                sayFailure(() -> binding.windows().AcceptEx(8, 0, 0, 0, 0, 0, 0, 0, 0));
                sayFailure(() -> binding.windows().closesocket(0));
            }
            case AFTER_STOP -> {
                new ProcessBuilder("kill", "-STOP", String.valueOf(host.pid())).start().waitFor();
                sayFailure(() -> binding.windows().listen(0, 0));
                sayFailure(() -> binding.windows().closesocket(0));
            }
            default -> throw new IllegalArgumentException(END);
        }
    }

    // Late enough for a host that ended with the others to be gone.
    private static void callLate(Windows windows) {
        for (int i = 0; i < 1000; i++) {
            windows.closesocket(0);
        }
        System.out.println(SmallJvm.MARK + "called");
    }

    private static void outlive(ProcessHandle host, Binding binding) throws Exception {
        Windows windows = binding.windows();
        try (MemoryBlock event = binding.memory().allocate(Long.BYTES)) {
            event.buffer().putLong(0, windows.CreateEventW(0, 1, 0, 0));
            CountDownLatch called = new CountDownLatch(1);
            FutureTask<Void> wait = new FutureTask<>(() -> {
                windows.ResetEvent(event.buffer().getLong(0));
                called.countDown();
                sayFailure(() -> windows.WaitForMultipleObjects(1, event.address(), 0, Win32Constants.INFINITE));
                return null;
            });
            new Thread(wait).start();
            called.await();
            host.destroyForcibly();
            wait.get();
            sayFailure(() -> windows.closesocket(0));
        }
    }

    private static void sayFailure(Runnable call) {
        try {
            call.run();
            System.out.println(SmallJvm.MARK + "no failure");
        } catch (HostFailure e) {
            System.out.println(SmallJvm.MARK + e.getMessage());
        }
    }
}
