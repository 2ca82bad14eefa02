package dev.sluice.samples.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.JavaHome;
import dev.sluice.samples.PackagedSamples;
import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Services and filters of other people, which the samples, as users start them, find by ServiceLoader. */
@EnabledOnOs(OS.LINUX)
@Tag(PackagedSamples.TAG)
class LaunchedServiceTest {

    private static final Path ROOT = Repository.root();
    private static final String PROVIDERS = """
            package foreign;
            import dev.sluice.samples.io.Transfer;
            import dev.sluice.samples.io.TransferFilter;
            import dev.sluice.samples.io.TransferFilterProvider;
            import dev.sluice.samples.web.protocol.*;
            import java.util.Map;
            public final class Greeting implements RequestService {
                private String path;
                public String name() { return "greeting"; }
                public void init(Map<String, String> options) { path = options.get("path"); }
                public void fini() { }
                public boolean admit(Request request, Reply reply) {
                    if (!request.path().equals(path)) {
                        return true;
                    }
                    reply.answer("text/plain", "hello".getBytes());
                    return false;
                }
                public static final class Refusal implements FilterProvider {
                    public String name() { return "refusal"; }
                    public FilterPosition position() { return FilterPosition.AFTER_RANGES; }
                    public Filter filter() { return new Refused(); }
                }
                public static final class Refused implements Filter {
                    public void apply(Request request, Reply reply) { }
                    public boolean admit(Request request, Reply reply) {
                        if (request.path().equals("/refused")) {
                            reply.answer(Status.FORBIDDEN);
                            return false;
                        }
                        return true;
                    }
                }
                public static final class Counting implements TransferFilterProvider {
                    public String name() { return "counting"; }
                    public TransferFilter filter() {
                        return new TransferFilter() {
                            public void begins(Transfer transfer) { System.err.println(transfer.requestLine()); }
                        };
                    }
                }
            }
            """;
    private static final String MODULE = """
            module foreign {
                requires dev.sluice.samples;
                provides dev.sluice.samples.configurator.ServiceObject with foreign.Greeting;
                provides dev.sluice.samples.web.protocol.FilterProvider with foreign.Greeting.Refusal;
                provides dev.sluice.samples.io.TransferFilterProvider with foreign.Greeting.Counting;
            }
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void checkThatNothingHasToBeBuilt() throws Exception {
        PackagedSamples.check();
        // Should a file be saved this very moment.
        FakeTree.script(directory.resolve("mvn"), "exit 1");
    }

    private Path compile(boolean module) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("sources/foreign"));
        Path classes = directory.resolve("classes");
        Path modules = ROOT.resolve("samples/servers/target/modules");
        List<String> arguments = new ArrayList<>(List.of("--release", "17", "-d", classes.toString()));
        arguments.addAll(module ? List.of("-p", modules.toString()) : List.of("-cp", jars(modules)));
        arguments.add(Files.writeString(sources.resolve("Greeting.java"), PROVIDERS).toString());
        if (module) {
            arguments.add(Files.writeString(directory.resolve("sources/module-info.java"), MODULE).toString());
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)));
        return classes;
    }

    private static String jars(Path modules) throws IOException {
        try (Stream<Path> jars = Files.list(modules)) {
            return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
    }

    private static void name(Path classes) throws IOException {
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("dev.sluice.samples.configurator.ServiceObject"), "foreign.Greeting");
        Files.writeString(services.resolve("dev.sluice.samples.web.protocol.FilterProvider"),
                "foreign.Greeting$Refusal");
        Files.writeString(services.resolve("dev.sluice.samples.io.TransferFilterProvider"),
                "foreign.Greeting$Counting");
    }

    private void assertFound(String variable, String value) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(ROOT.resolve("sluice").toString(), "web", "--port", "0",
                "--service", "greeting path=/hello", "--filters", "ranges,refusal,counting")
                .directory(directory.toFile());
        builder.environment().put("SLUICE_JAVA_HOME", JavaHome.own().path().toString());
        builder.environment().remove("SLUICE_JAVA_OPTS");
        builder.environment().put(variable, value);
        builder.environment().merge("PATH", directory.toString(), (path, first) -> first + ":" + path);
        try (SampleProcess web = SampleProcess.start(builder)) {
            InetSocketAddress address = web.awaitAddress();
            assertEquals("200 hello", get(address, "/hello"));
            assertTrue(get(address, "/refused").startsWith("403 "));
            web.errors().awaitLine("filter", line -> line.equals("GET /refused HTTP/1.1"));
            web.stop();
        }
    }

    private static String get(InetSocketAddress address, String path) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create("http://"
                + address.getHostString() + ":" + address.getPort() + path)).version(HttpClient.Version.HTTP_1_1)
                .build(), BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    @Test
    void areFoundInAnotherModule() throws Exception {
        assertFound("SLUICE_MODULES", compile(true).toString());
    }

    @Test
    void areFoundOnTheClassPath() throws Exception {
        Path classes = compile(false);
        name(classes);
        assertFound("SLUICE_JAVA_OPTS", "-cp " + classes);
    }
}
