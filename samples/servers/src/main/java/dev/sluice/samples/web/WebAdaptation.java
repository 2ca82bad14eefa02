package dev.sluice.samples.web;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.samples.adaptation.Adaptable;
import dev.sluice.samples.adaptation.Adaptation;
import dev.sluice.samples.adaptation.LoadSample;
import dev.sluice.samples.adaptation.PoolAdaptation;
import dev.sluice.samples.adaptation.ServerAdaptation;
import dev.sluice.samples.adaptation.Setting;
import dev.sluice.samples.adaptation.StrategyAdaptation;
import dev.sluice.samples.adaptation.StrategyLoad;
import dev.sluice.samples.adaptation.Travel;
import dev.sluice.samples.io.FileWays;
import dev.sluice.samples.io.PortPools;
import dev.sluice.samples.io.SizeClass;
import dev.sluice.samples.server.ResizablePool;
import dev.sluice.samples.web.files.CacheStatistics;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes samples of a service and of the pools that serve it, and applies the settings that result. For one thread,
 * except for what it reports about trials.
 */
final class WebAdaptation {

    private static final Logger LOG = LoggerFactory.getLogger(WebAdaptation.class);

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final HttpService service;
    /** Null if it stays. */
    private final AdaptiveStrategy strategy;
    /** In the order of their states. */
    private final List<AdaptivePool> pools = new ArrayList<>();
    /** Written by one thread, read by any. */
    private volatile ServerAdaptation state;
    /** What had been counted at the sample before. */
    private LoadSample before;
    private LoadSample lastSample;
    private FileWays lastWays;
    private String lastTried;

    /** One of the pools, by what comes before "has" or "adapts" in the log. */
    private record AdaptivePool(String name, ResizablePool pool) {

        PoolAdaptation begin() {
            return PoolAdaptation.begin(pool.threads(), pool.isHeldByClients());
        }

        /** Applies a state; returns whether the system permits it. */
        boolean adapt(PoolAdaptation old, PoolAdaptation next, int busy) {
            if (next.threads() != old.threads() && !isResized(next.threads())) {
                return false;
            }
            boolean changes = next.settled() != old.settled();
            if (next.isOnTrial() && !old.isOnTrial()) {
                // Again and again under a load that comes and goes.
                LOG.debug("{} has {} busy: trying more than {} threads", name, busy,
                        old.threads());
            } else if (next.hasBrokenOff(old)) {
                LOG.debug("{} has {} threads again: too little work for a result", name,
                        next.threads());
            } else if (old.isOnTrial() && !next.isOnTrial() && !changes) {
                LOG.info("{} has {} threads again: more have not increased throughput", name, next.threads());
            } else if (changes) {
                LOG.info("{} adapts to {} busy: {} threads", name, busy, next.threads());
            }
            return true;
        }

        private boolean isResized(int threads) {
            try {
                pool.resize(threads);
                return true;
            } catch (OutOfMemoryError e) {
                LOG.warn("{} is unchanged: the system refuses {} threads: {}", name, threads, e.getMessage());
                return false;
            }
        }
    }

    /**
     * Begins with what is configured.
     *
     * @param service which one
     * @param serving the pools of the server, which have as many threads as are configured
     * @param strategy the concurrency strategy, as far as it is known by now; null if it stays
     */
    WebAdaptation(HttpService service, PortPools serving, AdaptiveStrategy strategy) {
        this.service = service;
        this.strategy = strategy;
        if (!service.terms().pinned().contains(Adaptable.THREADS)) {
            serving.all().forEach((where, pool) -> pools.add(new AdaptivePool(where + "pool", pool)));
        }
        this.state = new ServerAdaptation(Adaptation.begin(new Setting(service.files().statistics().capacity(),
                service.traffic().ways()), service.terms().pinned()),
                strategy == null ? StrategyAdaptation.NONE : strategy.state(),
                pools.stream().map(AdaptivePool::begin).toList());
        this.before = totals();
    }

    /** Returns whether it is about this service; for another one there has to be another adaptation. */
    boolean isOf(HttpService other) {
        return service == other;
    }

    private LoadSample totals() {
        CacheStatistics cache = service.files().statistics();
        return new LoadSample(service.replies(), service.octets(), cache.hits(), cache.misses(), cache.evictions(),
                cache.entries(), service.requests(),
                new Travel(System.nanoTime(), SYSTEM.getProcessCpuTime(), service.traffic().octets()));
    }

    /** {@return how files of some size travel just now to see whether that is better; nothing if that is not tried} */
    String tried() {
        return state.service().tried();
    }

    /** {@return how often other ways have been tried} */
    int trials() {
        return state.service().trials();
    }

    /** Takes samples; tells how much has changed because of them. */
    int look() {
        LoadSample now = totals();
        lastSample = now.since(before);
        before = now;
        ServerAdaptation old = state;
        lastWays = old.service().inForce();
        lastTried = old.service().tried();
        List<Integer> busy = pools.stream().map(each -> each.pool().busy()).toList();
        ServerAdaptation next = old.next(lastSample, busy, strategy == null ? StrategyLoad.NONE : strategy.look());
        state = next;
        int changes = adaptService(old.service(), next.service()) ? 1 : 0;
        if (strategy != null) {
            boolean changed = strategy.adapt(next.concurrency());
            state = next.with(strategy.state());
            changes += changed ? 1 : 0;
        }
        for (int i = 0; i < pools.size(); i++) {
            changes += adaptPool(i, old.pools().get(i), next.pools().get(i), busy.get(i)) ? 1 : 0;
        }
        return changes;
    }

    /**
     * {@return the figures of the last sample, and the settings that were active until then} To be called after a
     * sample.
     */
    Map<String, Object> lastLook() {
        double seconds = lastSample.travel().nanos() / NANOS_PER_SECOND;
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("milliseconds", Math.round(MILLIS_PER_SECOND * seconds));
        row.put("replies per second", Math.round(lastSample.replies() / seconds));
        row.put("requests at once", lastSample.requests());
        row.put("mean reply bytes", Math.max(0, lastSample.meanReply()));
        for (SizeClass each : SizeClass.values()) {
            row.put(each + " file bytes per second",
                    Math.round(lastSample.travel().octets().get(each.ordinal()) / seconds));
        }
        row.put("processors busy", String.format(Locale.ROOT, "%.2f",
                lastSample.travel().cpuNanos() / NANOS_PER_SECOND / seconds));
        row.put("hits per thousand", Math.max(0, lastSample.hitRate()));
        row.put("evictions", lastSample.evictions());
        row.put("entries", lastSample.entries());
        row.put("capacity", state.service().setting().openFiles());
        for (SizeClass each : SizeClass.values()) {
            row.put(each + " files", lastWays.way(each));
        }
        row.put("tried", lastTried);
        if (strategy != null) {
            strategy.putLastLook(row);
        }
        row.put("MB/s of ways tried", state.service().outcome().replace(", ", "; "));
        return row;
    }

    private boolean adaptService(Adaptation old, Adaptation next) {
        service.traffic().ways(next.inForce());
        if (next.setting().equals(old.setting())) {
            return false;
        }
        LOG.info("adapts to {}: {}{}", lastSample, next.setting(),
                next.outcome().isEmpty() ? "" : "; MB/s: " + next.outcome());
        if (next.setting().openFiles() != old.setting().openFiles()) {
            service.files().resize(next.setting().openFiles());
        }
        return true;
    }

    private boolean adaptPool(int index, PoolAdaptation old, PoolAdaptation next, int busy) {
        AdaptivePool pool = pools.get(index);
        if (pool.adapt(old, next, busy)) {
            return next.settled() != old.settled();
        }
        state = state.refused(index, pool.pool().threads());
        return false;
    }
}
