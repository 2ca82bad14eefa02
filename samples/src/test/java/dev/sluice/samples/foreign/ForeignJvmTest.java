package dev.sluice.samples.foreign;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * What another processor, or another Java on it, could break, on the JVMs that {@code -Dforeign.jvms} names. One at a
 * time, as each uses a whole processor.
 */
@Tag("foreign")
@EnabledOnOs(OS.LINUX)
class ForeignJvmTest {

    private static final String ALL = "arm64-17,arm64-21,arm64-25,riscv64-25,ppc64el-25,s390x-25";

    @TestFactory
    Stream<DynamicTest> everythingThatAProcessorCouldBreak() {
        String wanted = System.getProperty("foreign.jvms", "");
        return Arrays.stream((wanted.isEmpty() ? ALL : wanted).split(","))
                .flatMap(name -> tests(name.strip()).stream());
    }

    private static List<DynamicTest> tests(String name) {
        List<DynamicTest> tests = new ArrayList<>();
        try {
            ForeignJvm jvm = ForeignJvm.named(name);
            for (String binding : jvm.bindings()) {
                ForeignRun run = new ForeignRun(jvm, binding);
                for (Suite suite : Suite.values()) {
                    if (suite.isFor(binding)) {
                        tests.add(dynamicTest(name + " " + binding + " " + suite,
                                () -> run.test(suite.name().toLowerCase(Locale.ROOT), suite.module(),
                                        suite.classes())));
                    }
                }
                tests.add(dynamicTest(name + " " + binding + " echo", () -> new ForeignEcho(jvm, binding).test()));
            }
        } catch (IOException | InterruptedException e) {
            // Whoever asks for it wants to be told.
            tests.add(dynamicTest(name, () -> {
                throw e;
            }));
        }
        return tests;
    }
}
