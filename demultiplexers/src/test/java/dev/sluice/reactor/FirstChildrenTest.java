package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.SmallJvm;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Signals of child processes, in a JVM that has not started any: this one has. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class FirstChildrenTest {

    @Test
    void theFirstProcessDoesNotTakeItsSignalAway() throws Exception {
        List<Path> path = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(element -> !element.isEmpty()).map(Path::of).toList();
        List<String> said = SmallJvm.run(FirstChildren.class, path, "-Dsluice.native=" + Bindings.current().name());
        assertEquals(Collections.nCopies(FirstChildren.CHILDREN, "notified of 3"), said);
    }
}
