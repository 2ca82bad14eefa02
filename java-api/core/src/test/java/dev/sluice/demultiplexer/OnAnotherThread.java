package dev.sluice.demultiplexer;

import dev.sluice.calls.Emulator;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs a test, with its setup and cleanup, on another thread than JUnit's. A thread in a system call cannot be
 * interrupted: if a test hangs, it fails, and later tests use another thread.
 */
abstract class OnAnotherThread implements InvocationInterceptor {

    static final long SECONDS = Emulator.patience(Duration.ofSeconds(120)).toSeconds();

    /** Runs a part of a test, and rethrows its exception. */
    abstract void run(Callable<Void> part) throws Throwable;

    private void runPart(Invocation<Void> invocation) throws Throwable {
        run(() -> {
            try {
                return invocation.proceed();
            } catch (Error | Exception e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        });
    }

    @Override
    public final void interceptBeforeEachMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        runPart(invocation);
    }

    @Override
    public final void interceptTestMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        runPart(invocation);
    }

    @Override
    public final void interceptTestTemplateMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        runPart(invocation);
    }

    @Override
    public final void interceptAfterEachMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        runPart(invocation);
    }
}
