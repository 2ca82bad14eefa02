package dev.sluice.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.sluice.calls.SmallJvm;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class HangListenerTest {

    /** Not found by its name: the program below runs it. */
    static class Hanging {

        @Test
        void ignoresInterrupts() {
            while (true) {
                LockSupport.park();
                Thread.interrupted();
            }
        }
    }

    static final class RunHanging {

        private RunHanging() {
        }

        public static void main(String[] arguments) {
            LauncherFactory.create().execute(
                    LauncherDiscoveryRequestBuilder.request().selectors(selectClass(Hanging.class)).build());
        }
    }

    @Test
    void jvmEndsAndNamesTestAndStackThatHang() {
        List<Path> classPath =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator)).map(Path::of).toList();
        AssertionError failure = assertThrows(AssertionError.class,
                () -> SmallJvm.run(RunHanging.class, classPath, "-Dsluice.tests.deadline=4"));
        String message = failure.getMessage();
        assertTrue(message.startsWith("exit " + HangListener.STATUS) && message.contains("ignoresInterrupts()]")
                && message.contains("Hanging.ignoresInterrupts(HangListenerTest.java"), message);
    }
}
