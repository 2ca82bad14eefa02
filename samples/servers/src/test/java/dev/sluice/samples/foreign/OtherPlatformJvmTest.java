package dev.sluice.samples.foreign;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;

/**
 * What another processor or another Java could break, on the JVMs that {@code -Dforeign.jvms} names, or of that what
 * {@code -Dforeign.suites} names: names of {@link Suite}, echo, web. One at a time, as each uses a whole processor.
 */
@Tag("foreign")
@EnabledOnOs(OS.LINUX)
class OtherPlatformJvmTest {

    private static final String ALL = "amd64-21,amd64-26,amd64-27,amd64-28,"
            + "arm64-17,arm64-21,arm64-25,riscv64-25,ppc64el-25,s390x-25";

    @TestFactory
    Stream<DynamicTest> everythingThatAProcessorCouldBreak() {
        return list("foreign.jvms", ALL).stream().flatMap(name -> tests(name).stream());
    }

    private static List<String> list(String property, String usual) {
        String wanted = System.getProperty(property, "");
        return Arrays.stream((wanted.isEmpty() ? usual : wanted).split(",")).map(String::strip).toList();
    }

    private static List<DynamicTest> tests(String name) {
        List<DynamicTest> tests = new ArrayList<>();
        try {
            OtherPlatformJvm jvm = OtherPlatformJvm.named(name);
            for (String binding : jvm.bindings()) {
                OtherPlatformRun run = new OtherPlatformRun(jvm, binding);
                OtherPlatformServer server = new OtherPlatformServer(jvm, binding);
                for (Suite suite : Suite.values()) {
                    if (suite.isFor(binding)) {
                        add(tests, run, suite.title(), () -> run.test(suite.title(), suite.module(), suite.classes()));
                    }
                }
                add(tests, run, "echo", () -> new OtherPlatformEcho(server).test());
                add(tests, run, "web", () -> new OtherPlatformWeb(server).test());
            }
        } catch (IOException | InterruptedException e) {
            // A JVM that was asked for must be there: this is a failure.
            tests.add(dynamicTest(name, () -> {
                throw e;
            }));
        }
        return tests;
    }

    private static void add(List<DynamicTest> tests, OtherPlatformRun run, String suite, Executable test) {
        List<String> wanted = list("foreign.suites", "");
        if (wanted.contains("") || wanted.contains(suite)) {
            tests.add(dynamicTest(run + " " + suite, test));
        }
    }
}
