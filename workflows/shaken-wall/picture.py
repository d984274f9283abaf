"""Draws the bodies of an export at some times, side by side, without a display.

usage: picture.py BODIES.vtkhdf PICTURE.png TIME...; needs VTK (pip install vtk)
"""
import sys

import numpy
import vtkmodules.vtkRenderingFreeType  # noqa: F401 (texts)
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 (the back end of the renderer)
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkRenderingCore import (
    vtkActor, vtkLight, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow, vtkTextActor, vtkWindowToImageFilter)

WIDTH, HEIGHT = 560, 340
GROUND = (150, 152, 150)
BRICKS = numpy.array([(204, 120, 87), (184, 102, 74), (219, 140, 105), (196, 112, 92)])


def surface(grid):
    """The outside of the cells, coloured by body; obstacles are of kind 0."""
    geometry = vtkGeometryFilter()
    geometry.SetInputDataObject(grid)
    geometry.Update()
    mesh = geometry.GetOutput()
    kind, body = (vtk_to_numpy(mesh.GetCellData().GetArray(name)) for name in ('kind', 'BID'))
    colours = numpy.where((kind == 0)[:, None], GROUND, BRICKS[(7 * body) % len(BRICKS)]).astype(numpy.uint8)
    mesh.GetCellData().SetScalars(numpy_to_vtk(colours, deep=True))
    return mesh


def renderer(mesh, text, column, columns):
    """One view of the mesh: shaded, with edges."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(mesh)
    mapper.SetColorModeToDirectScalars()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().EdgeVisibilityOn()
    actor.GetProperty().SetEdgeColor(0.2, 0.15, 0.12)
    actor.GetProperty().SetInterpolationToFlat()
    actor.GetProperty().SetAmbient(0.25)
    label = vtkTextActor()
    label.SetInput(text)
    label.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    label.SetPosition(0.03, 0.05)
    label.GetTextProperty().SetFontSize(20)
    label.GetTextProperty().SetColor(0.1, 0.1, 0.1)
    view = vtkRenderer()
    view.SetBackground(1, 1, 1)
    view.SetViewport(column / columns, 0, (column + 1) / columns, 1)
    view.AddActor(actor)
    view.AddViewProp(label)
    view.SetAutomaticLightCreation(False)
    for position, strength in [((-2, -4, 5), 0.85), ((4, -3, 1), 0.35)]:
        light = vtkLight()
        light.SetPosition(position)
        light.SetIntensity(strength)
        view.AddLight(light)
    camera = view.GetActiveCamera()
    camera.SetPosition(0.3, -2.7, 0.85)
    camera.SetFocalPoint(0.84, 0.0, 0.27)
    camera.SetViewUp(0, 0, 1)
    camera.SetViewAngle(29)
    view.ResetCameraClippingRange()
    return view


def main(bodies, picture, *times):
    reader = vtkHDFReader()
    reader.SetFileName(bodies)
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(WIDTH * len(times), HEIGHT)
    for column, time in enumerate(times):
        reader.UpdateTimeStep(float(time))
        window.AddRenderer(renderer(surface(reader.GetOutputDataObject(0)), '%s s' % time, column, len(times)))
    window.Render()
    image = vtkWindowToImageFilter()
    image.SetInput(window)
    writer = vtkPNGWriter()
    writer.SetFileName(picture)
    writer.SetInputConnection(image.GetOutputPort())
    writer.Write()


if __name__ == '__main__':
    main(*sys.argv[1:])
