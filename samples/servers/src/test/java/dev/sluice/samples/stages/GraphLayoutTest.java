package dev.sluice.samples.stages;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stages do not lie upon each other, and edges begin and end where their stages are. */
class GraphLayoutTest {

    private static final int RANDOM_GRAPHS = 200;

    private static GraphLayout layout(int stages, int... ways) {
        List<GraphLayout.Way> all = new ArrayList<>();
        for (int i = 0; i < ways.length; i += 2) {
            all.add(new GraphLayout.Way(ways[i], ways[i + 1]));
        }
        return checked(stages, all);
    }

    private static GraphLayout checked(int stages, List<GraphLayout.Way> ways) {
        GraphLayout layout = new GraphLayout(stages, ways);
        String graph = stages + " stages, " + ways;
        for (int i = 0; i < stages; i++) {
            checkInside(layout, layout.x(i), layout.y(i), graph);
            checkInside(layout, layout.x(i) + GraphLayout.STAGE_WIDTH, layout.y(i) + GraphLayout.STAGE_HEIGHT, graph);
            for (int j = 0; j < i; j++) {
                assertTrue(Math.abs(layout.x(i) - layout.x(j)) > GraphLayout.STAGE_WIDTH
                        || Math.abs(layout.y(i) - layout.y(j)) > GraphLayout.STAGE_HEIGHT,
                        () -> "stages lie upon each other: " + graph);
            }
        }
        Set<List<Integer>> begins = new HashSet<>();
        for (int i = 0; i < ways.size(); i++) {
            checkWay(layout, ways.get(i), layout.points(i), stages, graph + ", edge " + i);
            int[] points = layout.points(i);
            assertTrue(begins.add(List.of(points[0], points[1])), () -> "two edges begin at one point: " + graph);
        }
        return layout;
    }

    private static void checkInside(GraphLayout layout, int x, int y, String graph) {
        assertTrue(x >= 0 && x <= layout.width() && y >= 0 && y <= layout.height(),
                () -> x + ", " + y + " is outside: " + graph);
    }

    private static void checkWay(GraphLayout layout, GraphLayout.Way way, int[] points, int stages, String what) {
        int last = points.length - 2;
        assertTrue(touches(layout, way.from(), points[0], points[1]), () -> "begins elsewhere: " + what);
        assertTrue(touches(layout, way.to(), points[last], points[last + 1]), () -> "ends elsewhere: " + what);
        for (int i = 0; i <= last; i += 2) {
            int x = points[i];
            int y = points[i + 1];
            checkInside(layout, x, y, what);
            for (int stage = 0; stage < stages; stage++) {
                assertTrue(stage == way.from() || stage == way.to() || !touches(layout, stage, x, y),
                        () -> "passes through a stage: " + what);
            }
        }
        if (way.from() != way.to()) {
            boolean down = layout.y(way.from()) < layout.y(way.to());
            for (int i = 2; i <= last; i += 2) {
                assertEquals(down, points[i + 1] > points[i - 1], () -> "goes to and fro: " + what);
            }
        }
    }

    private static boolean touches(GraphLayout layout, int stage, int x, int y) {
        return x >= layout.x(stage) && x <= layout.x(stage) + GraphLayout.STAGE_WIDTH
                && y >= layout.y(stage) && y <= layout.y(stage) + GraphLayout.STAGE_HEIGHT;
    }

    private static int[] tops(GraphLayout layout, int stages) {
        int[] tops = new int[stages];
        for (int i = 0; i < stages; i++) {
            tops[i] = layout.y(i);
        }
        return tops;
    }

    @Test
    void laysOutAnEmptyGraph() {
        GraphLayout layout = layout(0);
        assertTrue(layout.width() > 0 && layout.height() > 0);
    }

    @Test
    void putsAPipelineIntoOneColumn() {
        GraphLayout layout = layout(4, 3, 2, 2, 1, 1, 0);
        for (int i = 1; i < 4; i++) {
            assertEquals(layout.x(0), layout.x(i));
            assertTrue(layout.y(i - 1) > layout.y(i));
        }
    }

    @Test
    void leadsOneEdgeOfACircleUpwards() {
        GraphLayout layout = layout(3, 0, 1, 1, 2, 2, 0);
        assertTrue(layout.y(0) < layout.y(1) && layout.y(1) < layout.y(2));
    }

    @Test
    void separatesOppositeEdges() {
        GraphLayout layout = layout(2, 0, 1, 1, 0);
        assertTrue(layout.points(0)[0] < layout.points(1)[2]);
    }

    @Test
    void leadsALongEdgeAroundWhatIsBetween() {
        GraphLayout layout = layout(4, 0, 1, 1, 2, 2, 3, 0, 3);
        assertEquals(2 * 6, layout.points(3).length);
    }

    @Test
    void doesNotCrossWhatNeedNotCross() {
        // 0 leads to 3, and 1 to 2, which are listed the other way round.
        GraphLayout layout = layout(5, 4, 0, 4, 1, 0, 3, 1, 2);
        assertEquals(layout.x(0) < layout.x(1), layout.x(3) < layout.x(2));
        assertEquals(layout.y(2), layout.y(3));
    }

    @Test
    void putsAStageNearTheOnlyOneItLeadsTo() {
        GraphLayout layout = layout(4, 0, 1, 1, 2, 3, 2);
        assertEquals(layout.y(1), layout.y(3));
    }

    @Test
    void putsLoneStagesLast() {
        GraphLayout layout = layout(6, 0, 0, 4, 5, 3, 3);
        int[] tops = tops(layout, 6);
        assertTrue(tops[4] < tops[5]);
        for (int lone : new int[] {0, 1, 2, 3}) {
            assertTrue(tops[5] < tops[lone]);
        }
    }

    @Test
    void leadsALoopOutOfTheRightSide() {
        GraphLayout layout = layout(1, 0, 0);
        int right = layout.x(0) + GraphLayout.STAGE_WIDTH;
        int[] points = layout.points(0);
        assertArrayEquals(new int[] {right, right}, new int[] {points[0], points[2]});
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void drawsAnyGraph(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < RANDOM_GRAPHS; i++) {
            int stages = 1 + random.nextInt(14);
            Set<GraphLayout.Way> ways = new HashSet<>();
            for (int j = random.nextInt(2 * stages); j > 0; j--) {
                ways.add(new GraphLayout.Way(random.nextInt(stages), random.nextInt(stages)));
            }
            checked(stages, List.copyOf(ways));
        }
    }
}
