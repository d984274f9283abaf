"""Reads exported files with the readers of the vtk wheel, and measures their solid cells at the first step: each must have a
positive volume, and the faces that vtkGeometryFilter takes from it must look outwards. Prints the number of VTK of every kind of
cell that was measured. The exit code is 1 when a cell is inside out."""

import sys

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOXdmf2 import vtkXdmfReader

SOLID = {10: 'tetrahedron', 12: 'hexahedron', 13: 'wedge', 14: 'pyramid'}


def grid_of(path):
    reader = vtkHDFReader() if path.endswith('.vtkhdf') else vtkXdmfReader()
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutputDataObject(0)
    while data.IsA('vtkMultiBlockDataSet'):
        data = data.GetBlock(0)
    return data


def alone(grid, i):
    """One cell of a grid."""
    one = vtkUnstructuredGrid()
    one.SetPoints(grid.GetPoints())
    one.Allocate(1)
    one.InsertNextCell(grid.GetCellType(i), grid.GetCell(i).GetPointIds())
    return one


def volume(one):
    sizes = vtkCellSizeFilter()
    sizes.SetInputData(one)
    sizes.Update()
    return vtk_to_numpy(sizes.GetOutput().GetCellData().GetArray('Volume'))[0]


def outward(one):
    """For each face, how far its normal (counter-clockwise points) looks away from the middle of the cell."""
    skin = vtkGeometryFilter()
    skin.SetInputData(one)
    skin.Update()
    surface = skin.GetOutput()
    nodes = vtk_to_numpy(one.GetCell(0).GetPoints().GetData())
    for i in range(surface.GetNumberOfCells()):
        x = vtk_to_numpy(surface.GetCell(i).GetPoints().GetData())
        yield float(numpy.dot(numpy.cross(x[1] - x[0], x[2] - x[0]), x.mean(axis=0) - nodes.mean(axis=0)))


def main():
    good = True
    for path in sys.argv[1:]:
        grid = grid_of(path)
        found = {}
        for i in range(grid.GetNumberOfCells()):
            if grid.GetCellType(i) not in SOLID:
                continue
            one = alone(grid, i)
            looks = list(outward(one))
            good = good and volume(one) > 0 and len(looks) >= 4 and min(looks) > 0
            found[SOLID[grid.GetCellType(i)]] = (volume(one), min(looks))
        good = good and len(found) == len(SOLID)
        print(path, found)
    return 0 if good else 1


sys.exit(main())
