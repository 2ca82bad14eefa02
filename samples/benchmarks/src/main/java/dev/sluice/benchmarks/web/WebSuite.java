package dev.sluice.benchmarks.web;

import dev.sluice.benchmarks.load.Site;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.RunningServers;
import dev.sluice.benchmarks.peers.WebServers;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Web servers that send files. */
public final class WebSuite implements Suite {

    /** Creates a suite. */
    public WebSuite() {
    }

    @Override
    public String name() {
        return "web";
    }

    @Override
    public String summary() {
        return "the web server sample beside nginx and Netty, asked for files by wrk";
    }

    @Override
    public String method() {
        return """
                Each server has one thread, or one worker, on processor 0; `wrk` has one thread on processor 1, and 64
                connections, each of which asks for the same file again and again. "16 pipelined" sends 16 requests
                before it reads a reply; "a connection each" asks for each connection to be closed after its reply.

                Before anything is measured, all files of all servers are compared byte by byte. While it measures,
                `wrk` counts errors and replies other than 200, and one of them makes the measurement void.

                nginx has one worker process, sendfile, tcp_nopush, no access log, no limit of requests for a
                connection, and keeps files open, which it looks at again after a second, as Sluice's sample does. Its
                documentation recommends tcp_nopush, but replies to pipelined requests then wait for each other; so
                nginx is measured without it too. The one on Netty also keeps files open, sends them with sendfile, and
                copies those up to 16 KiB behind the head. The sample runs with its defaults. CPU time is that of the
                whole server, as the kernel counts it, in steps of 10 ms. The aim is that a request costs no more of it
                than nginx needs in whichever configuration needs less.""";
    }

    @Override
    public List<Section> sections() {
        return List.of(new Section(WebTrial.RATE, "1/s", Better.HIGHER, WebServers.BASELINE, Chart.BARS),
                new Section(WebTrial.CPU, "s", Better.LOWER, WebServers.BASELINE, Chart.NONE)
                        .with(WebServers.ours().stream().map(ours -> Target.timesBest(ours, 1, "both of nginx",
                                WebServers.CONFIGURATIONS)).toArray(Target[]::new)),
                new Section(WebTrial.LATENCY, "µs", Better.LOWER, WebServers.BASELINE, Chart.NONE));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        Optional<Path> program = host.find("wrk");
        if (program.isEmpty()) {
            return new Preparation(List.of(), scale.rounds(), List.of("wrk: install it; nothing is measured without"));
        }
        Site site = Site.write(host.directory().resolve("web-root"), Page.SIZES);
        WebServers found = WebServers.find(scale, host, site.directory());
        RunningServers servers = RunningServers.start(host, found.contestants());
        try {
            for (String contestant : servers.names()) {
                site.check(contestant, servers.of(contestant).port());
            }
            return new Preparation(trials(scale, found, servers, new Wrk(program.get(), host)), scale.rounds(),
                    found.absences(), servers);
        } catch (Throwable e) {
            servers.close();
            throw e;
        }
    }

    private static List<Trial> trials(Scale scale, WebServers found, RunningServers servers, Wrk wrk) {
        int first = scale.choose(0, 1, 4);
        int warmUp = scale.choose(0, 1, 1);
        int measured = scale.choose(1, 1, 2);
        List<Trial> trials = new ArrayList<>();
        for (Page page : scale == Scale.SMALLEST ? Page.ALL.subList(0, 1) : Page.ALL) {
            for (MeasuredPeer contestant : found.contestants()) {
                trials.add(new WebTrial(page, contestant.name(), servers.of(contestant.name()), wrk, first,
                        warmUp, measured));
            }
        }
        return trials;
    }
}
